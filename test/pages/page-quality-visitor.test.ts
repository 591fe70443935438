import { testPagesOf } from '../support/page-quality.ts';

testPagesOf('visitor');
