/**
 * Ends with one sentence if Node is too old, before the start fails for an obscure reason. Written so
 * that every Node with ES modules can read it, and without imports.
 */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Signet needs Node 20.19 or newer; this is Node ${process.versions.node}. Node 24 is recommended.`);
  process.exit(1);
}
