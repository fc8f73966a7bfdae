import { Linter } from 'eslint';
import { commentOpenings } from '../../scripts/eslint/comment-openings.mjs';

const linter = new Linter();
const refused = (code: string) =>
  linter
    .verify(code, {
      plugins: { signet: { rules: { 'comment-openings': commentOpenings } } },
      rules: { 'signet/comment-openings': 'error' },
    })
    .map(({ line, message }) => `${line}: ${message}`);

describe('the lint rule for the openings of comments', () => {
  it.each([
    ['a doc comment', '/** The same for patches. */', 'The same'],
    ['a doc comment of several lines', '/**\n * As above, but slowly.\n */', 'As above'],
    ['a line comment', '// It refuses to run as root.', 'It'],
    ['a line comment behind code', 'let a = 1; // Nobody reads this.', 'Nobody'],
    ['a pronoun of things', '/** Its key. */', 'Its'],
  ])('refuses %s that does not name its subject', (_what, code, opening) => {
    expect(refused(code)).toEqual([`1: A comment stands alone: name the subject instead of "${opening}".`]);
  });

  it.each([
    ['other words', '/** Items of one page. */'],
    ['a subject', '/** The key of a witness. It never changes. */'],
    ['the middle of a text of several lines', '// The program refuses to run as root.\n// It says why.'],
  ])('leaves comments with %s', (_what, code) => {
    expect(refused(code)).toEqual([]);
  });

  it('takes a comment after code, or in another column, for a text of its own', () => {
    expect(refused('// One text.\nlet a = 1;\n// It begins anew.')).toHaveLength(1);
    expect(refused('let a = 1; // One text.\n// It begins anew.')).toHaveLength(1);
  });
});
