import { Template } from '../../src/page/template.js';

const DOCUMENT = '<p><!--slot name-->nobody<!--end--></p>\n<!--slot list--><!--end-->';

describe('a document with slots', () => {
  it('has what the build wrote where nothing is filled in, without the marks', () => {
    expect(Template.parse(DOCUMENT, ['list', 'name']).toString()).toBe('<p>nobody</p>\n');
  });

  it('fills slots step by step, and keeps what was filled in literally', () => {
    const named = Template.parse(DOCUMENT, ['name', 'list']).fill({ name: "$& $' $1" });

    expect(named.fill({ list: '<li>' }).toString()).toBe("<p>$& $' $1</p>\n<li>");
    expect(named.toString()).toBe("<p>$& $' $1</p>\n");
  });

  it('refuses a document that lacks a slot, or has another one', () => {
    expect(() => Template.parse(DOCUMENT, ['name', 'list', 'head'])).toThrow('build it again');
    expect(() => Template.parse(DOCUMENT, ['name'])).toThrow('build it again');
  });
});
