/** `node bundle-one.mjs ENTRY`: writes one minified file of JavaScript for a browser to standard output. */
import { rolldown } from 'rolldown';

const build = await rolldown({ input: process.argv[2], platform: 'browser' });
const { output } = await build.generate({ format: 'esm', minify: true });
await build.close();
process.stdout.write(output[0].code);
