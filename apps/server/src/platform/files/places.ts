import type { FileArea, FileRef } from './driver.ts'

/** Where an area begins, below DATA_DIR and in a bucket alike, so that one can be copied to the other. */
export const areaFolder: Readonly<Record<FileArea, string>> = {
  attachments: 'files',
  uploads: 'transfers/files',
  documents: 'documents',
}
export const areas = Object.keys(areaFolder) as readonly FileArea[]

/** Neither may lead out of its folder, nor look like an unfinished file. */
const part = /^\w[\w-]*(\.[\w-]+)*$/

/** `files/10000/6f1c…`: the place of a file, with slashes. */
export function placeOf({ area, tenant, name }: FileRef): string {
  if (!part.test(tenant) || !part.test(name))
    throw new Error('a file has a name that none is stored under')
  return `${areaFolder[area]}/${tenant}/${name}`
}

/** The file at a place; undefined where none of ours can be. */
export function refAt(area: FileArea, place: string): FileRef | undefined {
  const folder = `${areaFolder[area]}/`
  const [tenant = '', name = '', ...rest] = place.slice(folder.length).split('/')
  return place.startsWith(folder) && rest.length === 0 && part.test(tenant) && part.test(name)
    ? { area, tenant, name }
    : undefined
}
