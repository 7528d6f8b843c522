import type { FileArea, FileRef } from './driver.ts'

/** The folder of each area. The same below DATA_DIR and in a bucket, so that files can be copied. */
export const areaFolder: Readonly<Record<FileArea, string>> = {
  attachments: 'files',
  uploads: 'transfers/files',
  documents: 'documents',
}
export const areas = Object.keys(areaFolder) as readonly FileArea[]

/** Excludes paths out of the folder. */
const part = /^\w[\w-]*(\.[\w-]+)*$/

/** The path of a file with slashes: `files/10000/6f1c…`. */
export function storagePath({ area, tenant, name }: FileRef): string {
  if (!part.test(tenant) || !part.test(name)) throw new Error('invalid name of a stored file')
  return `${areaFolder[area]}/${tenant}/${name}`
}

/** The file at a path; undefined when the path is not one of {@link storagePath}. */
export function refAt(area: FileArea, path: string): FileRef | undefined {
  const folder = `${areaFolder[area]}/`
  const [tenant = '', name = '', ...rest] = path.slice(folder.length).split('/')
  return path.startsWith(folder) && rest.length === 0 && part.test(tenant) && part.test(name)
    ? { area, tenant, name }
    : undefined
}
