import { formAddModel, formCascadeModel, formEditModel, formStaleModel, formViewModel } from './entity-form.model.ts'
import { entityFormRules } from './entity-form.rules.ts'
import { gateParts } from './gate-parts.ts'

gateParts({ cascade: formCascadeModel, add: formAddModel, view: formViewModel, stale: formStaleModel, edit: formEditModel }, { rules: entityFormRules })
