import { Button } from '@blueprintjs/core'
import { type EntityAction, entityActions, entityPermission } from '@jiaowu/api/entity/permission'
import {
  type FunctionPermission,
  functionPermissions,
  type GrantableEntity,
  type GrantableGroup,
  isSameRule,
  mayGrant,
  type RolePermissions,
} from '@jiaowu/api/entity/role'
import { messageText, type TextKey, texts } from '@jiaowu/api/texts/index'
import { useText } from '../../../app/text-context.ts'
import { CheckBox } from './check-box.tsx'
import { type Edited, ruleFor } from './permission-edit.ts'

export interface MatrixProps {
  readonly role: RolePermissions
  readonly edited: Edited
  readonly groups: readonly GrantableGroup[]
  readonly functions: readonly string[]
  readonly readOnly: boolean
  readonly onCodes: (codes: readonly string[], on: boolean) => void
  readonly onRule: (entity: GrantableEntity) => void
}

/**
 * Entities by actions in the groups of the menu, with check boxes for whole rows and columns; below
 * them the functions.
 */
export function PermissionMatrix(props: MatrixProps) {
  const { t } = useText()
  const { many } = useCells(props)
  const { groups } = props
  const tags = groups.flatMap(({ entities }) => entities.map(({ tag }) => tag))
  return (
    <>
      {tags.length === 0 ? null : (
        <div className="jw-table-wrap jw-matrix">
          <table className="jw-table">
            <thead>
              <tr>
                <th scope="col" className="is-fixed is-edge-left">
                  {t('role.entity')}
                </th>
                {entityActions.map((action) => (
                  <th key={action} scope="col" className="is-center">
                    <label>
                      {many(
                        tags.map((tag) => entityPermission(tag, action)),
                        t('role.wholeColumn', { name: t(`role.action.${action}`) }),
                      )}{' '}
                      {t(`role.action.${action}`)}
                    </label>
                  </th>
                ))}
                <th scope="col">{t('role.scope')}</th>
              </tr>
            </thead>
            {groups.map(({ name, entities }) => (
              <tbody key={name ?? ''}>
                <tr className="jw-matrix__group">
                  <th colSpan={2} scope="rowgroup" className="is-fixed">
                    {name ?? t('role.otherGroup')}
                  </th>
                  <td colSpan={5} />
                </tr>
                {entities.map((entity) => (
                  <Row key={entity.tag} {...props} entity={entity} />
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
      <Functions {...props} />
    </>
  )
}

function useCells({ role, edited, readOnly, onCodes }: MatrixProps) {
  const { t } = useText()
  const [has, had] = [new Set(edited.codes), new Set(role.codes)]
  const isOn = (code: string) => role.fixed || has.has(code)
  const one = (code: string, label: string) => {
    const may = mayGrant(role.holds, code)
    return (
      <CheckBox
        label={label}
        checked={isOn(code)}
        changed={has.has(code) !== had.has(code)}
        disabled={readOnly || !may}
        title={may ? undefined : t('role.cannotGrant')}
        onChange={(on) => onCodes([code], on)}
      />
    )
  }
  const many = (codes: readonly string[], label: string) => (
    <CheckBox
      label={label}
      checked={codes.length > 0 && codes.every(isOn)}
      some={codes.some(isOn)}
      disabled={readOnly || !codes.some((code) => mayGrant(role.holds, code))}
      onChange={(on) => onCodes(codes, on)}
    />
  )
  return { one, many }
}

function Row({ entity, ...props }: MatrixProps & { readonly entity: GrantableEntity }) {
  const { t } = useText()
  const { one, many } = useCells(props)
  const { role, edited, onRule } = props
  const rule = ruleFor(edited, entity.tag)
  const narrowed = Object.keys(rule.overrides).length
  const isPlain = rule.scope === 'all' && narrowed === 0
  const changed = !isSameRule(rule, ruleFor(role, entity.tag))
  return (
    <tr>
      <th scope="row" className="is-fixed is-edge-left">
        <label>
          {many(
            entityActions.map((action) => entityPermission(entity.tag, action)),
            t('role.wholeRow', { name: entity.name }),
          )}
          <span>{entity.name}</span>
        </label>
        <code>{entity.tag}</code>
      </th>
      {entityActions.map((action: EntityAction) => (
        <td key={action} className="is-center">
          {one(
            entityPermission(entity.tag, action),
            `${entity.name} ${t(`role.action.${action}`)}`,
          )}
        </td>
      ))}
      <td>
        <Button
          size="small"
          variant="minimal"
          className={`jw-matrix__rule${changed ? ' is-changed' : ''}${isPlain ? ' is-plain' : ''}`}
          disabled={role.fixed}
          onClick={() => onRule(entity)}
          aria-label={`${entity.name} ${t('role.scope')}`}
        >
          {t(`role.scope.${rule.scope}`)}
          {narrowed === 0 ? '' : ` · ${t('role.narrowed', { n: narrowed })}`}
        </Button>
      </td>
    </tr>
  )
}

/** Explains the reach of a function, where its name does not say enough. */
function FunctionNote({ code }: { readonly code: FunctionPermission }) {
  const { locale } = useText()
  const key = `role.fnNote.${code}`
  return Object.hasOwn(texts, key) ? (
    <small>{messageText(locale, { key: key as TextKey })}</small>
  ) : null
}

function Functions(props: MatrixProps) {
  const { t } = useText()
  const { one } = useCells(props)
  const shown = functionPermissions.filter((code: FunctionPermission) =>
    props.functions.includes(code),
  )
  if (shown.length === 0) return null
  return (
    <section className="jw-functions">
      <h4>{t('role.functions')}</h4>
      <ul>
        {shown.map((code) => (
          <li key={code}>
            <label>
              {one(code, t(`role.fn.${code}`))}
              <span>{t(`role.fn.${code}`)}</span>
            </label>
            <code>{code}</code>
            <FunctionNote code={code} />
          </li>
        ))}
      </ul>
    </section>
  )
}
