import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { SettingsError } from '../../../settings/settings.ts'

/** Creates the folder of DATA_DIR if it does not exist. @throws SettingsError */
export function createDataFolder(dataDir: string): void {
  const reason = (): string | null => {
    try {
      createFolder(dataDir)
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
  const found = reason()
  if (found !== null) throw new SettingsError(`DATA_DIR ${dataDir} cannot be used: ${found}.`)
}

/** One level at a time, because Node's recursive mkdir never returns below /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) return
  createFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // EEXIST: another process has created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
