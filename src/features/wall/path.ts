export const wallPath = '/wall/';
