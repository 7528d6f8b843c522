import { Menu, MenuItem } from '@blueprintjs/core'
import type { GrantableEntity } from '@jiaowu/api/entity/role'
import { useText } from '../../../app/text-context.ts'
import { Submenu } from '../../../ui/overlays/submenu.tsx'

/**
 * The names that a row rule may use: the person of the account, the fields of the entity and those of the rows
 * that its relations point to (docs/rules/security.md#rules-across-relations).
 */
export function InsertMenu({
  entity,
  entities,
  onInsert,
}: {
  readonly entity: GrantableEntity
  readonly entities: readonly GrantableEntity[]
  readonly onInsert: (name: string) => void
}) {
  const { t } = useText()
  const item = (name: string, label: string) => (
    <MenuItem key={name} text={label} label={name} onClick={() => onInsert(name)} />
  )
  return (
    <Menu className="jw-rule__insert">
      {item('user.person', t('role.insertPerson'))}
      {entity.fields.map(({ attrName, label, relation }) => {
        const name = `row.${attrName}`
        const target = entities.find(({ tag }) => tag === relation)
        if (target === undefined || target.fields.length === 0) return item(name, label)
        return (
          <Submenu key={name} text={label}>
            {item(name, t('role.insertField'))}
            {target.fields.map((field) => item(`${name}.${field.attrName}`, field.label))}
          </Submenu>
        )
      })}
    </Menu>
  )
}
