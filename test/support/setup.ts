import { afterAll } from 'bun:test';
import { cleanUp } from './databases.ts';

afterAll(cleanUp);
