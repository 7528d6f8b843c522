import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SettingsError } from '../../settings/settings.ts'

/** The folder DATA_DIR names, made if it is not there. @throws SettingsError */
export function makeDataFolder(dataDir: string): void {
  const reason = (): string | null => {
    try {
      make(dataDir)
      if (!statSync(dataDir).isDirectory()) return 'it is a file'
      accessSync(dataDir, constants.W_OK)
      return null
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      return code === 'ENOTDIR'
        ? 'a part of the path is a file'
        : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
          ? 'this user may not write there'
          : 'it cannot be made'
    }
  }
  const why = reason()
  if (why !== null) throw new SettingsError(`DATA_DIR ${dataDir} cannot be used: ${why}.`)
}

/** One level at a time: told to make all of them, Node tries for ever where a folder takes no children (/proc). */
function make(path: string): void {
  if (existsSync(path)) return
  make(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another process was quicker
  }
}
