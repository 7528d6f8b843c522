import { listBusyModel, listDeletingModel, listPlainModel, listQueryModel, listRowsModel, listSideModel, listSingleModel, listSizeModel } from './entity-list.model.ts'
import { entityListRules } from './entity-list.rules.ts'
import { gateParts } from './gate-parts.ts'

gateParts({
  plain: listPlainModel, single: listSingleModel, size: listSizeModel, busy: listBusyModel, deleting: listDeletingModel, side: listSideModel, rows: listRowsModel, query: listQueryModel,
}, { rules: entityListRules })
