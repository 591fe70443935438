export const followingPath = '/following/';
