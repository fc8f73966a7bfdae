import type { Dictionary } from '../en/index.js';
import look from './look.json';
import shell from './shell.json';

const dictionary: Dictionary = { look, shell };

export default dictionary;
