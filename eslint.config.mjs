import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { commentOpenings } from './scripts/eslint/comment-openings.mjs';
import { timeLimits } from './scripts/eslint/time-limits.mjs';

/** A short list of what hurts: floating promises, unused names, `any`. Looks are Prettier's. */
export default tseslint.config(
  // The programs of docs/guide/languages are compiled by `npm run test:clients`, with types that it generates.
  {
    ignores: [
      '.cache/**',
      'dist/**',
      'packages/*/dist/**',
      'data/**',
      'node_modules/**',
      'coverage/**',
      'docs/guide/languages/**',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.recommended,
  {
    plugins: { signet: { rules: { 'comment-openings': commentOpenings, 'time-limits': timeLimits } } },
    rules: {
      'signet/comment-openings': 'error',
      // Comments are wrapped where code is; code itself is Prettier's.
      'max-len': [
        'error',
        { code: 1000, comments: 120, ignoreUrls: true, ignorePattern: 'eslint-disable|^ \\* `[^`]*`\\.?$' },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeCheckedOnly],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        {
          allowNumber: true,
          allow: [
            { name: 'URLSearchParams', from: 'lib' },
            { name: 'URLSearchParams', from: 'package', package: 'url' },
            { name: 'URLSearchParams', from: 'package', package: 'node:url' },
          ],
        },
      ],
      // What was caught as unknown is thrown again as it was.
      '@typescript-eslint/only-throw-error': 'off',
      // An async method without await turns what it throws into a rejection, as its interface promises.
      '@typescript-eslint/require-await': 'off',
      // The rule reports `(await query(...)) as [Row[], number]` too, where the assertion is the point.
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
    },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    // Tests read answers as JSON of any shape and assert what is in it, and hand methods of jest around.
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts'],
    rules: {
      'signet/time-limits': 'error',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        Buffer: 'readonly',
        performance: 'readonly',
        AbortSignal: 'readonly',
        AbortController: 'readonly',
        TextDecoderStream: 'readonly',
      },
    },
  },
);
