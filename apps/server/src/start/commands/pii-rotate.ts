import { rotateKeys } from '../keys/rotate.ts'
import { type Command, exit, print, withServices } from './command.ts'

/** Encrypts personal data with a new key (docs/operations.md#keys-of-personal-data). */
export const piiRotateCommand: Command = {
  usage: '',
  help: 'encrypt personal data with a new key; stop all servers first',
  run: () =>
    withServices(async (services) => {
      const { key, values } = await rotateKeys(services)
      print(`Personal data is encrypted with the key ${key} now (${values} values).`)
      return exit.done
    }),
}
