/**
 * An ESLint rule: a comment names its subject. A comment that opens with a pronoun or refers to the comment before it
 * means nothing in an editor's hover, nor to a reader of one declaration.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const commentOpenings = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { opening: 'A comment stands alone: name the subject instead of "{{ opening }}".' },
  },
  create(context) {
    return {
      Program() {
        let previous;
        for (const comment of context.sourceCode.getAllComments()) {
          const opening = continues(previous, comment) ? undefined : OPENING.exec(comment.value)?.[1];
          if (opening && comment.loc) context.report({ loc: comment.loc, messageId: 'opening', data: { opening } });
          previous = comment;
        }
      },
    };
  },
};

const OPENING =
  /^[*\s]*(The same|As (?:above|before)|See above|Ditto|Likewise|Both too|What of|Its?|It's|They|Their|Them|Whoever|Whatever|Nobody|Somebody)\b(?!')/;

/** @typedef {ReturnType<import('eslint').SourceCode['getAllComments']>[number]} Comment */

/**
 * Line comments in one column on successive lines are one text.
 * @param {Comment | undefined} previous
 * @param {Comment} comment
 */
function continues(previous, comment) {
  return (
    previous?.type === 'Line' &&
    comment.type === 'Line' &&
    previous.loc?.end.line === (comment.loc?.start.line ?? 0) - 1 &&
    previous.loc?.start.column === comment.loc?.start.column
  );
}
