/** Files shared by all instances: attachments, uploaded sheets of imports, issued documents. */
export type FileArea = 'attachments' | 'uploads' | 'documents'

/** One stored file. Its display name is metadata in the database. */
export interface FileRef {
  readonly area: FileArea
  readonly tenant: string
  readonly name: string
}

export interface ListedFile extends FileRef {
  readonly modified: Date
}

/** A stored file on the local disk, for readers with random access. Call `release` after reading. */
export interface LocalFile {
  readonly path: string
  readonly release: () => Promise<void>
}

/**
 * The operations of a file driver. They throw FileMissing when the file does not exist, and
 * FilesUnavailable when the store does not answer.
 */
export interface FileStore {
  /** Writes atomically: a failure leaves the old file or none. Replaces a file of the same name. */
  readonly write: (file: FileRef, bytes: Uint8Array) => Promise<void>
  /** Resolves when the file is open. The stream must be read to its end or cancelled. */
  readonly read: (file: FileRef) => Promise<ReadableStream<Uint8Array>>
  readonly localFile: (file: FileRef) => Promise<LocalFile>
  /** Hexadecimal digest; null when the file does not exist. */
  readonly sha256: (file: FileRef) => Promise<string | null>
  /** Deletes permanently. A missing file is not an error. */
  readonly remove: (file: FileRef) => Promise<void>
  /** Every completely written file of an area. */
  readonly list: (area: FileArea) => AsyncGenerator<ListedFile>
  /** Removes old leftovers of interrupted work and returns their number. */
  readonly sweep: (now: Date) => Promise<number>
  /** Whether the store answers. Called often, so the result may be cached for some seconds. */
  readonly healthy: () => Promise<boolean>
  /** Tries every operation at the start of the server. @throws SettingsError with one sentence */
  readonly probe: () => Promise<void>
  /**
   * Marks the store as owned by this installation, so that no other one sweeps its files as unknown.
   * @throws SettingsError when another installation owns it
   */
  readonly claim: (installation: string) => Promise<void>
}

/** The file that a row names does not exist. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'
}

/** The store does not answer; the same call may succeed later. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable'
}
