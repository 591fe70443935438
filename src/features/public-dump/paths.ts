export const publicDumpPath = '/public-dump.ndjson.gz';
export const publicDumpType = 'application/gzip';
