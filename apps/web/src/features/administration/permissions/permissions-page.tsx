import { Button, Callout, InputGroup, Switch } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { entityPermission } from '@jiaowu/api/entity/permission'
import {
  functionPermissions,
  type GrantableEntity,
  permissionChange,
  type RolePermissions,
} from '@jiaowu/api/entity/role'
import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useApi } from '../../../app/api-context.ts'
import { useTabs } from '../../../app/tab-context.ts'
import { useText } from '../../../app/text-context.ts'
import { useUnsaved } from '../../../app/unsaved.ts'
import { Empty } from '../../../ui/resource/page-state.tsx'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { useResource } from '../../../ui/resource/use-resource.ts'
import { pickEdited, type Edited, ruleFor, withCodes, withRule } from './permission-edit.ts'
import { PermissionMatrix } from './permission-matrix.tsx'
import { PermissionReview } from './permission-review.tsx'
import { RuleDrawer } from './rule-drawer.tsx'
import { useSavePermissions } from './use-save-permissions.ts'

/**
 * /role/:id/permissions: all permissions of a role on one page
 * (docs/rules/security.md#permissions).
 */
export function PermissionsPage({ id }: { readonly id: string }) {
  const { api } = useApi()
  const { pathname, search } = useLocation()
  const page = useResource({
    query: id,
    load: (_id, signal): Promise<RolePermissions> =>
      api.role.permissions({ params: { id }, signal }),
  })
  return (
    <ResourceBody of={page}>
      {(role) => <Editor loaded={role} path={`${pathname}${search}`} />}
    </ResourceBody>
  )
}

function Editor({ loaded, path }: { readonly loaded: RolePermissions; readonly path: string }) {
  const { t } = useText()
  const { can } = useApi()
  const [{ role, edited }, setState] = useState({ role: loaded, edited: pickEdited(loaded) })
  const [search, setSearch] = useState('')
  const [onlyGranted, setOnlyGranted] = useState(false)
  const [reviewing, setReviewing] = useState(false)
  const edit = (next: (now: Edited) => Edited) =>
    setState((state) => ({ ...state, edited: next(state.edited) }))
  const change = useMemo(() => permissionChange(role, edited), [role, edited])
  const count = change.added.length + change.removed.length + change.rules.length
  const save = useSavePermissions(role, edited, (next, mine) => {
    setState({ role: next, edited: mine })
    setReviewing(false)
  })
  const readOnly = role.fixed || !can(entityPermission('SYS_ROLE', 'update'))
  useTab(path, role.name, count > 0)
  return (
    <section className="jw-panel jw-permissions" aria-label={t('role.title')}>
      <PermissionsToolbar
        role={role}
        search={search}
        onlyGranted={onlyGranted}
        count={count}
        readOnly={readOnly}
        onSearch={setSearch}
        onOnlyGranted={setOnlyGranted}
        onUndo={() => edit(() => pickEdited(role))}
        onReview={() => {
          save.dismiss()
          setReviewing(true)
        }}
      />
      {role.fixed ? (
        <Callout compact intent="primary" className="jw-permissions__note">
          {t('role.fixed')}
        </Callout>
      ) : null}
      <Permissions
        role={role}
        edited={edited}
        search={search}
        onlyGranted={onlyGranted}
        readOnly={readOnly}
        onEdit={edit}
      />
      {reviewing ? (
        <PermissionReview
          role={role}
          edited={edited}
          change={change}
          isActing={save.isActing}
          problem={save.problem}
          onSave={save.start}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </section>
  )
}

function useTab(path: string, name: string, dirty: boolean) {
  const { t } = useText()
  const { setTabTitle } = useTabs()
  useUnsaved(dirty)
  useEffect(() => {
    setTabTitle(path, `${t('role.title')} · ${name}`)
  }, [setTabTitle, path, t, name])
}

function PermissionsToolbar({
  role,
  search,
  onlyGranted,
  count,
  readOnly,
  onSearch,
  onOnlyGranted,
  onUndo,
  onReview,
}: {
  readonly role: RolePermissions
  readonly search: string
  readonly onlyGranted: boolean
  /** Number of unsaved changes. */
  readonly count: number
  readonly readOnly: boolean
  readonly onSearch: (search: string) => void
  readonly onOnlyGranted: (only: boolean) => void
  readonly onUndo: () => void
  readonly onReview: () => void
}) {
  const { t } = useText()
  return (
    <div className="jw-toolbar">
      <h3>{role.name}</h3>
      <code>{role.code}</code>
      <InputGroup
        type="search"
        leftElement={<Search />}
        aria-label={t('role.search')}
        placeholder={t('role.search')}
        value={search}
        onValueChange={onSearch}
      />
      <Switch
        className="jw-permissions__only"
        label={t('role.onlyGranted')}
        checked={onlyGranted}
        onChange={(event) => onOnlyGranted(event.currentTarget.checked)}
      />
      <span className="jw-toolbar__gap" />
      <span className="jw-muted" aria-live="polite">
        {count === 0 ? t('role.noChanges') : t('role.changes', { n: count })}
      </span>
      <Button text={t('role.undo')} disabled={count === 0} onClick={onUndo} />
      <Button
        intent="primary"
        text={t('common.save')}
        disabled={count === 0 || readOnly}
        onClick={onReview}
      />
    </div>
  )
}

/** The matrix of permissions that the search leaves, and the drawer of one entity's rule. */
function Permissions({
  role,
  edited,
  search,
  onlyGranted,
  readOnly,
  onEdit,
}: {
  readonly role: RolePermissions
  readonly edited: Edited
  readonly search: string
  readonly onlyGranted: boolean
  readonly readOnly: boolean
  readonly onEdit: (next: (now: Edited) => Edited) => void
}) {
  const { t } = useText()
  const [open, setOpen] = useState<GrantableEntity | null>(null)
  const shown = useShown(role, edited, search, onlyGranted)
  return (
    <>
      {shown.groups.length === 0 && shown.functions.length === 0 ? (
        <Empty title={t('role.none')} />
      ) : (
        <PermissionMatrix
          role={role}
          edited={edited}
          {...shown}
          readOnly={readOnly}
          onCodes={(codes, on) => onEdit((now) => withCodes(now, codes, on, role.holds))}
          onRule={setOpen}
        />
      )}
      {open === null ? null : (
        <RuleDrawer
          entity={open}
          entities={role.groups.flatMap(({ entities }) => entities)}
          rule={ruleFor(edited, open.tag)}
          readOnly={readOnly}
          onChange={(rule) => onEdit((now) => withRule(now, rule))}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

function useShown(role: RolePermissions, edited: Edited, search: string, onlyGranted: boolean) {
  const { t } = useText()
  return useMemo(() => {
    const wanted = search.trim().toLowerCase()
    const fits = (...texts: readonly string[]) =>
      wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted))
    const isGranted = (code: string) => role.fixed || edited.codes.includes(code)
    const isShown = ({ tag, name }: GrantableEntity, group: string) =>
      fits(tag, name, group) &&
      (!onlyGranted ||
        isGranted(entityPermission(tag, 'view')) ||
        edited.codes.some((code) => code.startsWith(`entity:${tag}:`)))
    return {
      groups: role.groups
        .map(({ name, entities }) => ({
          name,
          entities: entities.filter((entity) => isShown(entity, name ?? '')),
        }))
        .filter(({ entities }) => entities.length > 0),
      functions: functionPermissions.filter(
        (code) =>
          role.functions.includes(code) &&
          fits(code, t(`role.fn.${code}`)) &&
          (!onlyGranted || isGranted(code)),
      ),
    }
  }, [role, edited.codes, search, onlyGranted, t])
}
