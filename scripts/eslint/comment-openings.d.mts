import type { Rule } from 'eslint';

export declare const commentOpenings: Rule.RuleModule;
