/** What is kept for all servers of a school: attachments, uploaded sheets of imports, issued documents. */
export type FileArea = 'attachments' | 'uploads' | 'documents'

/** One file. The name it has for people is metadata and stands in the database. */
export interface FileRef {
  readonly area: FileArea
  readonly tenant: string
  readonly name: string
}

export interface ListedFile extends FileRef {
  readonly modified: Date
}

/** A stored file as a file of this machine, for readers that jump about in it. To be released when it is read. */
export interface LentFile {
  readonly path: string
  readonly release: () => Promise<void>
}

/** All that a driver must do. Calls throw FileMissing where the file is not there, and FilesUnavailable when the store cannot answer just now. */
export interface FileStore {
  /** The file is whole or absent, whatever happens on the way. The same name again replaces it. */
  readonly write: (file: FileRef, bytes: Uint8Array) => Promise<void>
  /** Opened when this resolves, read as it is asked for; to be read to its end or cancelled. */
  readonly read: (file: FileRef) => Promise<ReadableStream<Uint8Array>>
  readonly lend: (file: FileRef) => Promise<LentFile>
  /** Hexadecimal; null when there is no such file. */
  readonly sha256: (file: FileRef) => Promise<string | null>
  /** Gone for good; a file that is gone already is no error. */
  readonly remove: (file: FileRef) => Promise<void>
  /** Every whole file of an area. */
  readonly list: (area: FileArea) => AsyncGenerator<ListedFile>
  /** Removes what interrupted work left behind long enough ago. Says how many. */
  readonly sweep: (now: Date) => Promise<number>
  /** Whether files can be had just now; asked often, so it may be some seconds old. */
  readonly healthy: () => Promise<boolean>
  /** Tries, before anything else starts, all that will be done. @throws SettingsError in one sentence */
  readonly probe: () => Promise<void>
  /** Makes sure that no other installation sweeps here what it does not know. @throws SettingsError */
  readonly claim: (installation: string) => Promise<void>
}

/** A row names a file that is not there. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'
}

/** The store cannot answer just now; the same call may succeed later. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable'
}
