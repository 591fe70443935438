export const myClassPath = '/my-class/';
