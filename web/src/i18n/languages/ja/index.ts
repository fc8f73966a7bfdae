import type { FirstTexts } from '../en/index.js';
import look from './look.json';
import shell from './shell.json';

const dictionary: FirstTexts = { look, shell };

export default dictionary;
