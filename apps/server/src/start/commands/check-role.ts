// `npm run server -- check-role`: what the database role may not do, with the statement that gives it.
import { pino } from 'pino'
import { openDatabase } from '../../platform/database/open-database.ts'
import { missingRights } from '../../platform/database/role-rights.ts'
import { standardError } from '../../platform/log.ts'
import { readSettings } from '../../platform/settings/settings.ts'
import { type Command, exit, print } from './command.ts'

export const checkRoleCommand: Command = {
  usage: '',
  help: 'which rights the role of DATABASE_URL lacks, with the grants to copy',
  run: async () => {
    // Nothing is migrated: the role may not be able to.
    const settings = readSettings(process.env)
    const database = await openDatabase(settings, pino({ level: 'warn' }, standardError()))
    try {
      const missing = await missingRights(database.untyped, settings.businessSchemas)
      for (const { isRequired, consequence, grant } of missing)
        print(`-- ${isRequired ? 'required: ' : ''}${consequence}\n${grant}`)
      if (missing.length === 0) print('The role has every right that the product needs.')
      return missing.some(({ isRequired }) => isRequired) ? exit.findings : exit.done
    } finally {
      await database.close()
    }
  },
}
