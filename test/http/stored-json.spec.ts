import { StoredJson, writeJson } from '../../src/http/stored-json.js';

describe('writing an answer with stored JSON in it', () => {
  it('writes each stored text as it is, wherever it stands', () => {
    const answer = {
      list: [new StoredJson('{"a": 1}'), 2, { content: new StoredJson('null') }],
      last: new StoredJson('[]'),
    };

    expect(writeJson(answer)).toBe('{"list":[{"a": 1},2,{"content":null}],"last":[]}');
  });

  it('is JSON.stringify for any other answer', () => {
    const answer = { text: 'é " \\ \u2028', none: undefined, time: new Date(0), nested: [[], {}] };

    expect(writeJson(answer)).toBe(JSON.stringify(answer));
  });

  it('keeps what one text holds out of the others, even where it is the text that stands for stored ones', () => {
    const mark = new StoredJson('').toJSON();

    expect(writeJson([new StoredJson(JSON.stringify(mark)), new StoredJson('2')])).toBe(`[${JSON.stringify(mark)},2]`);
  });

  it('forgets the texts of an answer that could not be written', () => {
    const circular: unknown[] = [new StoredJson('1')];
    circular.push(circular);

    expect(() => writeJson(circular)).toThrow(TypeError);
    expect(writeJson([new StoredJson('2')])).toBe('[2]');
  });
});
