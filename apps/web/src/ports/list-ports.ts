import { entityListApiPorts } from '@jiaowu/machines/entity-list/api-ports'
import type { EntityListPorts } from '@jiaowu/machines/entity-list/ports'
import type { Services } from '../app/api-context.ts'
import type { Notices } from '../app/notice-context.ts'
import type { Tabs } from '../app/tab-context.ts'
import { askedWhere } from './asked-where.ts'
import { showEffect } from './buttons-ports.ts'

type Dependencies = Pick<Services, 'api' | 'saveFile'> &
  Pick<Notices, 'toast'> &
  Pick<Tabs, 'openTab' | 'openDrawer'>

/** The calls of the list machine. @param onBytes bytes of the export received so far */
export function listPorts(app: Dependencies, onBytes: (bytes: number) => void): EntityListPorts {
  return entityListApiPorts(app.api, {
    askWhere: askedWhere,
    saveFile: async (file, _named, signal) => {
      await app.saveFile(file, onBytes, signal)
    },
    showEffect: (effect) => showEffect(app, effect),
  })
}
