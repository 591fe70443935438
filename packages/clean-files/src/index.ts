// The library: a file's bytes in, the bytes without what they tell about people out.

export { cleanFile, type TypedFile } from './clean-file.ts';
export type { FileType } from './detect.ts';
export { InvalidFile, type InvalidFileCode } from './invalid-file.ts';
export { cleanPicture } from './picture.ts';
