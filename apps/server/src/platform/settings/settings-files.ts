// Settings of the file store; a part of readSettings.
import { isIP } from 'node:net'
import { closeSync, openSync, readSync } from 'node:fs'
import * as v from 'valibot'
import type { ClamdAddress } from '../files/scan/clamd.ts'

/** Entries of the environment's schema. */
export const fileEnvironment = {
  CLAMD_SOCKET: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => clamdAddress(text) !== undefined,
        'CLAMD_SOCKET must be the absolute path of a Unix socket or an address such as 127.0.0.1:3310',
      ),
    ),
  ),
  CLAMD_AWAY: v.optional(
    v.picklist(['refuse', 'accept'], 'CLAMD_AWAY must be one of refuse, accept'),
    'refuse',
  ),
  DOCUMENT_FONTS: v.optional(
    v.pipe(
      v.string(),
      v.transform(splitPaths),
      v.check(
        (paths) => paths.every(isFont),
        'DOCUMENT_FONTS must be paths of TrueType or OpenType files (.ttf, .otf) that the server can read, separated by commas',
      ),
    ),
    '',
  ),
  FILE_DRIVER: v.optional(
    v.picklist(['disk', 's3'], 'FILE_DRIVER must be one of disk, s3'),
    'disk',
  ),
  S3_ENDPOINT: v.optional(
    v.pipe(v.string(), v.check(isHttp, 'S3_ENDPOINT must be an http or https address')),
  ),
  S3_REGION: v.optional(
    v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'S3_REGION must be the name of a region')),
    'us-east-1',
  ), // services without regions expect us-east-1
  S3_BUCKET: optionalShape(
    'S3_BUCKET',
    /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/,
    'the name of a bucket: 3 to 63 lower-case letters, digits, dots and dashes',
  ),
  S3_ACCESS_KEY_ID: optionalText('S3_ACCESS_KEY_ID'),
  S3_SECRET_ACCESS_KEY: optionalText('S3_SECRET_ACCESS_KEY'),
  S3_FORCE_PATH_STYLE: v.optional(v.picklist(['0', '1'], 'S3_FORCE_PATH_STYLE must be 0 or 1')),
  S3_PREFIX: optionalShape(
    'S3_PREFIX',
    /^\/*[\w-]+(\/[\w-]+)*\/*$/,
    'names of letters, digits, _ and - with slashes between them',
  ),
}

function splitPaths(text: string): string[] {
  return text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
}

/** The first four bytes of TrueType and OpenType files; collections begin otherwise. */
const fontMarks: readonly string[] = ['\u0000\u0001\u0000\u0000', 'OTTO', 'true']

function isFont(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const mark = Buffer.alloc(4)
      readSync(file, mark, 0, 4, 0)
      return fontMarks.includes(mark.toString('latin1'))
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

function isHttp(text: string) {
  return (
    URL.canParse(text) &&
    ['http:', 'https:'].includes(new URL(text).protocol) &&
    new URL(text).search === '' &&
    new URL(text).hash === '' &&
    new URL(text).username === ''
  )
}

function optionalText(name: string, max = 256) {
  return v.optional(
    v.pipe(v.string(), v.maxLength(max, `${name} must be at most ${max} characters`)),
  )
}

function optionalShape(name: string, shape: RegExp, what: string) {
  return v.optional(v.pipe(v.string(), v.regex(shape, `${name} must be ${what}`)))
}

const schema = v.object(fileEnvironment)
type Files = v.InferOutput<typeof schema>
type Read = Files & { readonly APP_ENV: 'development' | 'test' | 'production' }

export interface S3Account {
  /** Without the bucket and without a trailing slash. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Puts the bucket into the path instead of the host name. */
  readonly pathStyle: boolean
  /** Prefix of every key: empty, or with a trailing slash. */
  readonly prefix: string
}

export interface FileSettings {
  /** The scanner of uploads, and what happens with them while it does not answer; absent: none. */
  readonly clamd?: { readonly address: ClamdAddress; readonly whenAway: 'refuse' | 'accept' }
  readonly fileDriver: Files['FILE_DRIVER']
  /** Font files for characters of documents that the packaged fonts lack, in the order of trial. */
  readonly documentFonts: readonly string[]
  /** Present exactly when fileDriver is s3. */
  readonly s3?: S3Account
}

const needed = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
const parseHostname = (endpoint: string): string =>
  new URL(endpoint).hostname.replace(/^\[|\]$/g, '')

/** Sentences without a full stop about settings that do not fit together; false for those that do. */
export function fileRefusals(read: Read): (string | false)[] {
  const missing = needed.filter((name) => read[name] === undefined)
  return read.FILE_DRIVER === 'disk'
    ? []
    : [
        missing.length > 0 && `${missing.join(', ')} must be set when FILE_DRIVER is s3`,
        // The files are personal data, and signed requests are not encrypted.
        read.APP_ENV === 'production' &&
          read.S3_ENDPOINT?.startsWith('http:') === true &&
          !isHere(read.S3_ENDPOINT) &&
          'S3_ENDPOINT must be an https address, or on this machine, when APP_ENV is production',
      ]
}

function isHere(endpoint: string): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(parseHostname(endpoint))
}

export function fileSettings(read: Read): FileSettings {
  const address = read.CLAMD_SOCKET === undefined ? undefined : clamdAddress(read.CLAMD_SOCKET)
  return {
    ...storeSettings(read),
    documentFonts: read.DOCUMENT_FONTS,
    ...(address !== undefined && { clamd: { address, whenAway: read.CLAMD_AWAY } }),
  }
}

function clamdAddress(text: string): ClamdAddress | undefined {
  if (/^\/[^\0]{1,106}$/.test(text)) return { path: text }
  const [, bracketed, name, port] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]{1,253})):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? name
  const number = Number(port)
  const isGood = host !== undefined && number >= 1 && number <= 65_535
  return isGood && (bracketed === undefined || isIP(bracketed) === 6)
    ? { host, port: number }
    : undefined
}

function storeSettings(read: Read): Pick<FileSettings, 'fileDriver' | 's3'> {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = read
  if (
    read.FILE_DRIVER === 'disk' ||
    S3_ENDPOINT === undefined ||
    S3_BUCKET === undefined ||
    S3_ACCESS_KEY_ID === undefined ||
    S3_SECRET_ACCESS_KEY === undefined
  )
    return { fileDriver: 'disk' }
  const prefix = (read.S3_PREFIX ?? '').replace(/^\/+|\/+$/g, '')
  return {
    fileDriver: 's3',
    s3: {
      endpoint: S3_ENDPOINT.replace(/\/+$/, ''),
      region: read.S3_REGION,
      bucket: S3_BUCKET,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
      pathStyle: isPathStyle(read.S3_FORCE_PATH_STYLE, S3_ENDPOINT),
      prefix: prefix === '' ? '' : `${prefix}/`,
    },
  }
}

/**
 * The default without S3_FORCE_PATH_STYLE: true for IP addresses and names without a dot, which
 * cannot have the bucket as a subdomain.
 */
function isPathStyle(setting: Files['S3_FORCE_PATH_STYLE'], endpoint: string): boolean {
  return setting === undefined
    ? isIP(parseHostname(endpoint)) !== 0 || !parseHostname(endpoint).includes('.')
    : setting === '1'
}
