export { anyExpression, type Vocabulary } from './expressions.ts';
