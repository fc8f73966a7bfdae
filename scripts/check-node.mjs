/**
 * Ends with one sentence where Node is too old, before anything fails for a reason that nobody could guess. Written so
 * that every Node with ES modules can read it, and without imports.
 */
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Signet needs Node 20.19 or newer; this is Node ${process.versions.node}. Node 24 is recommended.`);
  process.exit(1);
}
