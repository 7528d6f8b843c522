import { FormGroup } from '@blueprintjs/core'
import type { DictItem, Values, WireValue } from '@jiaowu/api/entity/values'
import type { Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { UiType } from '@jiaowu/api/entity/enums'
import { useId, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { findFieldSurface } from '../../../fields/index.tsx'

const shown = [
  ['select', 'dictPage.asSelect'],
  ['radio', 'dictPage.asRadio'],
  ['checkbox', 'dictPage.asCheckbox'],
  ['selectTree', 'dictPage.asTree'],
] as const

/** The enabled items in the controls of forms and the tags of lists. */
export function DictionaryPreview({ items }: { readonly items: readonly DictItem[] }) {
  const { t } = useText()
  const id = useId()
  const [values, setValues] = useState<Values>({})
  const known = new Set(items.map((item) => item.id))
  const nested = items.some(({ pid }) => pid !== undefined && known.has(pid))
  const { Cell } = findFieldSurface('multiSelect')
  return (
    <div className="jw-dict__preview">
      {shown
        .filter(([uiType]) => !findKind(uiType).tree || nested)
        .map(([uiType, key]) => {
          const { Control } = findFieldSurface(uiType)
          const change = (value: WireValue) => setValues((now) => ({ ...now, [uiType]: value }))
          return (
            <FormGroup key={uiType} label={t(key)} labelFor={`${id}-${uiType}`}>
              <Control
                tag="SYS_DICT_ITEM"
                field={fieldWith(uiType, t(key), items)}
                value={values[uiType] ?? null}
                disabled={false}
                invalid={false}
                describedBy={undefined}
                id={`${id}-${uiType}`}
                values={values}
                rowId={null}
                onChange={change}
                onBlur={() => {}}
              />
            </FormGroup>
          )
        })}
      <FormGroup label={t('dictPage.asTag')}>
        <Cell
          tag="SYS_DICT_ITEM"
          field={fieldWith('multiSelect', '', items)}
          value={items}
          row={{ id: '' }}
        />
      </FormGroup>
    </div>
  )
}

/** A field definition with these choices. */
function fieldWith(uiType: UiType, uiLabel: string, dictData: readonly DictItem[]): Field {
  return {
    id: '',
    attrName: uiType,
    uiLabel,
    uiType,
    uiWidth: 100,
    dictType: 0,
    dictValue: null,
    linkType: -1,
    linkUrl: null,
    isList: 1,
    isQuery: 0,
    isDetail: 1,
    isExport: 0,
    isAdd: 1,
    isEdit: 1,
    queryType: 'equal',
    uiDefaultType: -1,
    defaultValue: null,
    disabled: false,
    valids: {},
    options: {},
    sortable: false,
    dictData,
  }
}
