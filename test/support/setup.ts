import { afterAll } from 'bun:test';
import { stopPostgres } from './databases.ts';

afterAll(stopPostgres);
