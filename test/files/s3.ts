// `npm run test:s3`: the same in a bucket, which VITRINE_TEST_S3 names as `--files` does, with its key in the environment.

import { holdsFiles } from './holds.ts';

const bucket = process.env.VITRINE_TEST_S3;
if (!bucket)
  throw new Error(
    'Say with VITRINE_TEST_S3 in which bucket, such as s3://bucket?endpoint=http://localhost:4568.',
  );
holdsFiles('S3', bucket);
