import ts from 'typescript';

/**
 * `check-types.mjs <folder>`: what the compiler says against the files of a project, one line each, as `tsc -p` does.
 * What they import is checked by the build, and here only as far as they use it: half the processor time.
 */
const [folder] = process.argv.slice(2);
const { config, error } = ts.readConfigFile(`${folder}/tsconfig.json`, ts.sys.readFile);
const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
const program = ts.createProgram(fileNames, options);
const diagnostics = [
  ...(error ? [error] : []),
  ...errors,
  ...program.getOptionsDiagnostics(),
  ...program.getGlobalDiagnostics(),
  ...fileNames
    .map((name) => program.getSourceFile(name))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
];
process.stdout.write(
  ts.formatDiagnostics(diagnostics, {
    getCurrentDirectory: ts.sys.getCurrentDirectory,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  }),
);
process.exitCode = diagnostics.length > 0 ? 1 : 0;
