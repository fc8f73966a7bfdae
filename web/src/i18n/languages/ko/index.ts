import type { FirstTexts } from '../en/index.js';
import bind from './bind.json';
import kv from './kv.json';
import look from './look.json';
import shell from './shell.json';
import steps from './steps.json';

const dictionary: FirstTexts = { bind, kv, look, shell, steps };

export default dictionary;
