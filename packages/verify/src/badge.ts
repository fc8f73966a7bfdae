export { smallCurves } from './small-curves.js';
