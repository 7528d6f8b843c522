import { Button, HTMLSelect, Radio, RadioGroup, TextArea } from '@blueprintjs/core'
import { CaretDown } from '@blueprintjs/icons'
import {
  type GrantableEntity,
  type NarrowedFlag,
  narrowedFlags,
  type RoleEntityRule,
  type RowScope,
} from '@jiaowu/api/entity/role'
import { problemText } from '@jiaowu/api/problem'
import type { ScopeCheck } from '@jiaowu/api/contract/administration/role'
import { useLayoutEffect, useRef } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { useAction } from '../../../ui/resource/use-resource.ts'
import { InsertMenu } from './insert-menu.tsx'
import { withInserted } from './inserted.ts'
import { Popover } from '../../../ui/overlays/popover.tsx'
import { CheckBox } from './check-box.tsx'
import { flagAt, withFlag } from './permission-edit.ts'
import { Drawer } from '../../../ui/overlays/drawer.tsx'

interface Props {
  readonly entity: GrantableEntity
  /** All entities, into which the rule may step. */
  readonly entities: readonly GrantableEntity[]
  readonly rule: RoleEntityRule
  readonly readOnly: boolean
  readonly onChange: (rule: RoleEntityRule) => void
  readonly onClose: () => void
}
type Part = Pick<Props, 'entity' | 'entities' | 'rule' | 'readOnly' | 'onChange'>

/**
 * The rows of an entity that a role sees, and its fields; a role never gets more than the
 * definition allows.
 */
export function RuleDrawer({ entity, entities, rule, readOnly, onChange, onClose }: Props) {
  const { t } = useText()
  const part = { entity, entities, rule, readOnly, onChange }
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={`${entity.name} · ${t('role.scope')}`}
      size="min(720px, 100vw)"
      className="jw-calm jw-rule"
    >
      <div className="jw-rule__body">
        <RadioGroup
          label={t('role.scope')}
          selectedValue={rule.scope}
          disabled={readOnly}
          onChange={(event) => onChange({ ...rule, scope: event.currentTarget.value as RowScope })}
        >
          {entity.scopes.map((scope) => (
            <Radio key={scope} value={scope} label={t(`role.scope.${scope}`)} />
          ))}
        </RadioGroup>
        {rule.scope === 'expression' ? <Condition {...part} /> : null}
        {entity.fields.length === 0 ? null : (
          <section>
            <h4>{t('role.fields')}</h4>
            <p className="jw-muted">{t('role.fieldsHint')}</p>
            <div className="jw-rule__fields">
              <table className="jw-table">
                <thead>
                  <tr>
                    <th scope="col" className="is-fixed is-edge-left">
                      {t('role.field')}
                    </th>
                    {narrowedFlags.map((flag) => (
                      <th key={flag} scope="col" className="is-center">
                        {t(`role.flag.${flag}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {entity.fields.map((field) => (
                    <tr key={field.attrName}>
                      <th scope="row" className="is-fixed is-edge-left">
                        {field.label}
                      </th>
                      {narrowedFlags.map((flag) => (
                        <td key={flag} className="is-center">
                          <Flag
                            field={field}
                            flag={flag}
                            rule={rule}
                            readOnly={readOnly}
                            onChange={onChange}
                          />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        )}
      </div>
    </Drawer>
  )
}

function Condition({ entity, entities, rule, readOnly, onChange }: Part) {
  const { t, locale } = useText()
  const { api } = useApi()
  const check = useAction((expression: string) =>
    api.role.checkScope({ body: { tag: entity.tag, expression } }),
  )
  const result: ScopeCheck | null =
    check.problem === null
      ? check.output
      : { fault: problemText(locale, check.problem), rows: null, all: null }
  const area = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current === null) return
    area.current?.focus()
    area.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  const edit = (expression: string) => {
    check.dismiss()
    onChange({ ...rule, expression })
  }
  const insert = (piece: string) => {
    const text = rule.expression ?? ''
    const { selectionStart: from = text.length, selectionEnd: to = from } = area.current ?? {}
    const made = withInserted(text, { from, to }, piece)
    caret.current = made.caret
    edit(made.text)
  }
  return (
    <div className="jw-rule__condition">
      <TextArea
        inputRef={area}
        fill
        aria-label={t('role.expression')}
        placeholder={t('role.expressionHint')}
        value={rule.expression ?? ''}
        intent={(result?.fault ?? null) === null ? 'none' : 'danger'}
        disabled={readOnly}
        rows={3}
        onChange={(event) => edit(event.currentTarget.value)}
      />
      <div className="jw-rule__check">
        {readOnly ? null : (
          <Popover
            placement="bottom-start"
            content={<InsertMenu entity={entity} entities={entities} onInsert={insert} />}
          >
            <Button size="small" text={t('role.insert')} endIcon={<CaretDown />} />
          </Popover>
        )}
        <Button
          size="small"
          text={t('role.check')}
          loading={check.isActing}
          onClick={() => check.start(rule.expression ?? '')}
        />
        {result === null ? null : (
          <span role="status" className={result.fault === null ? 'is-good' : 'is-bad'}>
            {result.fault ?? t('role.checkRows', { rows: result.rows ?? 0, all: result.all ?? 0 })}
          </span>
        )}
      </div>
      <small className="jw-muted">
        {entity.fields
          .map(({ attrName, label }) => `row.${attrName}（${label}）`)
          .slice(0, 12)
          .join('、')}
      </small>
    </div>
  )
}

function Flag({
  field,
  flag,
  rule,
  readOnly,
  onChange,
}: Omit<Part, 'entity' | 'entities'> & {
  readonly field: GrantableEntity['fields'][number]
  readonly flag: NarrowedFlag
}) {
  const { t } = useText()
  const [own, value, label] = [
    field.flags[flag],
    flagAt(rule, field, flag),
    `${field.label} ${t(`role.flag.${flag}`)}`,
  ]
  const changed = value !== own
  if (own === 0)
    return (
      <span className="jw-muted" aria-label={label}>
        —
      </span>
    )
  if (flag !== 'isAdd' && flag !== 'isEdit')
    return (
      <CheckBox
        label={label}
        checked={value === 1}
        changed={changed}
        disabled={readOnly}
        onChange={(on) => onChange(withFlag(rule, field, flag, on ? 1 : 0))}
      />
    )
  return (
    <HTMLSelect
      aria-label={label}
      className={changed ? 'is-changed' : ''}
      disabled={readOnly}
      value={value}
      onChange={(event) =>
        onChange(withFlag(rule, field, flag, Number(event.currentTarget.value) as 0 | 1 | 2))
      }
    >
      {([1, 2, 0] as const)
        .filter((each) => each !== 1 || own === 1)
        .map((each) => (
          <option key={each} value={each}>
            {t(`role.mode.${each}`)}
          </option>
        ))}
    </HTMLSelect>
  )
}
