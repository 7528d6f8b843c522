// Licences of packages that may be deployed: see docs/operations/parts.md.
import type { Part } from '../../scripts/parts.ts'

/** Refused packages, with the first major version that is taken again; undefined for none. */
const refused: ReadonlyMap<string, number | undefined> = new Map([
  ['archiver', undefined],
  ['fstream', undefined],
  ['glob', 9],
  ['inflight', undefined],
  ['lodash.isequal', undefined],
  ['request', undefined],
  ['rimraf', 4],
  ['unzipper', undefined],
  ['uuid', 11],
])

const agreed = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'ISC',
])

/** libvips and the packages that carry it are loaded as shared libraries. */
const sharedLibrary = /^@img\/sharp-/

/** The packages of a list that are refused by name and version, as `name@version`. */
export function refusedParts(parts: readonly Part[]): string[] {
  return parts
    .filter(({ name, version }) => {
      if (!refused.has(name)) return false
      const taken = refused.get(name)
      return taken === undefined || Number.parseInt(version, 10) < taken
    })
    .map(({ name, version }) => `${name}@${version}`)
}

/** The packages whose licence, an SPDX expression, leaves no agreed choice, as `name: licence`. */
export function refusedLicences(parts: readonly Part[]): string[] {
  return parts
    .filter(({ name, licence }) => !isAgreed(licence, sharedLibrary.test(name)))
    .map(({ name, licence }) => `${name}: ${licence}`)
}

/** SPDX expressions of this tree have one kind of operator: all of `AND`, or one of `OR`. */
function isAgreed(licence: string, shared: boolean): boolean {
  const isTaken = (id: string) => agreed.has(id) || (shared && id === 'LGPL-3.0-or-later')
  const plain = licence.replaceAll(/[()]/g, '')
  return plain.includes(' OR ')
    ? !plain.includes(' AND ') && plain.split(' OR ').some(isTaken)
    : plain.split(' AND ').every(isTaken)
}
