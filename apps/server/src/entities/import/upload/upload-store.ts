// Uploaded sheets have their own area of the file store: they belong to a job, not to a row.
import type { TextEncoding } from '@jiaowu/api/contract/job'
import type { FileRef } from '../../../platform/files/driver.ts'
import { fileStore } from '../../../platform/files/store.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import type { ReadLimits } from '../../sheets/read/model.ts'
import { type FileReading, readFile } from '../../sheets/read/read-file.ts'
import type { JobFile } from '../../jobs/job.ts'

export function buildUploadRef(tenant: string, storage: string): FileRef {
  return {
    area: 'uploads',
    tenant,
    name: storage,
  }
}

const released = async function* (
  rows: ReturnType<FileReading['rows']>,
  release: () => Promise<void>,
): ReturnType<FileReading['rows']> {
  try {
    yield* rows
  } finally {
    await release()
  }
}

/**
 * Reads the sheet of a job; a remote file is copied to this machine first.
 * @throws FileMissing, FileProblem, FilesUnavailable
 */
export async function readUpload(
  settings: Settings,
  tenant: string,
  { storage, format }: JobFile,
  limits: ReadLimits,
  encoding: TextEncoding | null,
): Promise<FileReading> {
  const { path, release } = await fileStore(settings).localFile(buildUploadRef(tenant, storage))
  try {
    const { head, rows, survey, close } = await readFile(path, format, limits, encoding)
    return {
      head,
      survey,
      rows: (sheets) => released(rows(sheets), release),
      close: async () => {
        await close()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}
