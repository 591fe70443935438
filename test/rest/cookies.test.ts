import { expect, test } from 'bun:test';
import { readCookie } from '#rest/authentication.ts';

const read = (cookies: string, name: string) => readCookie(new Headers({ Cookie: cookies }), name);

test('the value of a cookie may contain an equals sign', () => {
  expect(read('other=1; secret=a=b==; last=2', 'secret')).toBe('a=b==');
});

test('of several cookies of one name none counts, as somebody else may have planted one', () => {
  expect(read('secret=1; secret=2', 'secret')).toBeUndefined();
  expect(read('secret=1;secret=1', 'secret')).toBeUndefined();
});

test('a longer name is another cookie', () => {
  expect(read('my-secret=0; secret=1', 'secret')).toBe('1');
  expect(read('my-secret=0', 'secret')).toBeUndefined();
  expect(readCookie(new Headers(), 'secret')).toBeUndefined();
});
