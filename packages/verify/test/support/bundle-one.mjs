/** `node bundle-one.mjs ENTRY`: writes one minified file for a browser, with all that it loads, to standard output. */
import { rolldown } from 'rolldown';

const build = await rolldown({ input: process.argv[2], platform: 'browser' });
const { output } = await build.generate({ format: 'esm', minify: true, codeSplitting: false });
await build.close();
process.stdout.write(output[0].code);
