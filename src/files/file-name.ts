/** Whether a file is ours, by its name: a SHA-256. Other files in the same place are never deleted. */
export const isFileName = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
