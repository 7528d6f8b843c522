// The checks of the server that the table of rights must notice. `without` is the text with the check
// taken out where `OFF` is true.
import type { Edit, Mutant } from './mutant.ts'
import { mutantsOfRules } from './rule-mutants.ts'

export const listSourceEdits = ({ file, text, without, also = [] }: Mutant): readonly Edit[] => [
  { file, text, without },
  ...also,
]

/** Reading a row looks at each field again. */
const readerOfLists: Edit = {
  file: 'entities/read/rows.ts',
  text: 'allowed: field === idField ||',
  without: 'allowed: OFF || field === idField ||',
}
const readerOfRows: Edit = {
  file: 'entities/read/rows.ts',
  text: 'isAllowed(access, field, useOf(field)),',
  without: '(OFF || isAllowed(access, field, useOf(field))),',
}
const rowsOfSchools: Edit = {
  file: 'access/school-rows.ts',
  text: "  return entity.has('tenant_id')\n",
  without: "  return !OFF && entity.has('tenant_id')\n",
}
const sessionsOfPersons: Edit = {
  file: 'identity/own-sessions.ts',
  text: "    .where('user_id', '=', userId)\n",
  without: "    .$if(!OFF, (query) => query.where('user_id', '=', userId))\n",
}
const hidden = 'a row outside of their rows'

export const mutants: readonly Mutant[] = [
  {
    check: 'a program by a token makes no calls of its person',
    file: 'http/api.ts',
    text: 'subject.token !== undefined && !isOpenToTokens(name, endpoint)',
    without: '!OFF && subject.token !== undefined && !isOpenToTokens(name, endpoint)',
    cell: ['apiToken.list', 'token'],
  },
  {
    check: 'a call needs its permission',
    file: 'http/api.ts',
    text: 'isPermission && may(subject.permissions, fillPermission(endpoint, params))',
    without: 'isPermission && (OFF || may(subject.permissions, fillPermission(endpoint, params)))',
    cell: ['design.page', 'none'],
  },
  {
    check: 'calls of students are for students',
    file: 'http/api.ts',
    text: '|| access === subject.kind)',
    without: "|| access === subject.kind || (OFF && access === 'student'))",
    cell: ['student.reports', 'none'],
  },
  {
    check: 'calls of staff are for staff',
    file: 'http/api.ts',
    text: "access === 'signed' ||",
    without: "access === 'signed' || (OFF && access === 'staff') ||",
    cell: ['session.changePassword', 'student'],
  },
  {
    check: 'a call needs a session',
    file: 'http/api.ts',
    text: "  if (access === 'public') {",
    without: "  if (OFF || access === 'public') {",
    cell: ['session.whoami', 'nobody'],
  },
  {
    check: 'an entity needs its permission',
    file: 'http/api.ts',
    text: '  throw forbidden()\n',
    without: '  if (!OFF) throw forbidden()\n',
    also: [
      {
        file: 'access/access.ts',
        text: 'if (!isLetIn || !may(subject.permissions, permission)) throw',
        without: 'if (!OFF && (!isLetIn || !may(subject.permissions, permission))) throw',
      },
      {
        file: 'access/access.ts',
        text: 'if (grants.length === 0) throw forbidden()',
        without: 'if (!OFF && grants.length === 0) throw forbidden()',
      },
    ],
    cell: ['entityData.get (a row)', 'none'],
  },
  {
    check: 'a sort needs a field that the caller sees in lists',
    file: 'entities/read/query.ts',
    text: "|| !isAllowed(access, field, 'list')) return false",
    without: "|| (!OFF && !isAllowed(access, field, 'list'))) return false",
    cell: ['entityData.page (sort by the hidden field)', 'fields'],
  },
  {
    check: 'personal data is masked',
    file: 'entities/read/rows.ts',
    text: "mask: form === 'stored' ?",
    without: "mask: OFF || form === 'stored' ?",
    cell: ['entityData.get (a row)', 'reader'],
  },
  {
    check: 'revealing a value needs its right',
    file: 'entities/personal/reveal.ts',
    text: "if (!may(context.subject.permissions, 'pii:reveal')) {",
    without: "if (!OFF && !may(context.subject.permissions, 'pii:reveal')) {",
    cell: ['entityData.reveal (a row)', 'reader'],
  },
  {
    check: 'rows of another school do not exist',
    ...rowsOfSchools,
    cell: ['entityData.get (a row)', 'foreign'],
  },
  {
    check: 'deleted rows do not exist',
    file: 'access/school-rows.ts',
    text: '...(bin === null ? [] : [bin.kept])',
    without: '...(OFF || bin === null ? [] : [bin.kept])',
    cell: ['entityData.get (a deleted row)', 'full'],
  },
  {
    check: 'rows outside of a scope do not exist',
    file: 'access/access.ts',
    text: '  const scope = scopes.includes(null) ?',
    without: '  const scope = OFF || scopes.includes(null) ?',
    cell: [`entityData.get (${hidden})`, 'rows'],
  },
  {
    check: 'a role narrows the flags of fields',
    file: 'access/access.ts',
    text: 'if (own === 0 || override === 0) return 0',
    without: 'if (own === 0 || (!OFF && override === 0)) return 0',
    cell: ['entityData.get (a row)', 'fields'],
  },
  {
    check: 'a filter needs a field that the caller may filter by',
    file: 'entities/read/query.ts',
    text: "    isAllowed(access, field, 'query')\n",
    without: "    (OFF || isAllowed(access, field, 'query'))\n",
    cell: ['entityData.page (filter by the hidden field)', 'fields'],
  },
  {
    check: 'a list shows fields that the caller may see',
    file: 'entities/read/page.ts',
    text: "isAllowed(access, field, 'list')",
    without: "(OFF || isAllowed(access, field, 'list'))",
    also: [readerOfLists],
    cell: ['entityData.page (list)', 'fields'],
  },
  {
    check: 'a row shows fields that the caller may see',
    file: 'entities/read/row.ts',
    text: "isAllowed(access, field, 'detail')",
    without: "(OFF || isAllowed(access, field, 'detail'))",
    also: [readerOfRows],
    cell: ['entityData.get (a row)', 'fields'],
  },
  {
    check: 'an export holds fields that the caller may export',
    file: 'entities/export/export.ts',
    text: "isAllowed(access, field, 'export')",
    without: "(OFF || isAllowed(access, field, 'export'))",
    cell: ['entityData.export (the hidden column)', 'fields'],
  },
  {
    check: 'a written field must exist for the caller',
    file: 'entities/write/values/values.ts',
    text: "return field === undefined || !isAllowed(access, field, 'any')",
    without: "return field === undefined || (!OFF && !isAllowed(access, field, 'any'))",
    cell: ['entityData.create (the hidden field)', 'fields'],
  },
  {
    check: 'a lookup obeys the scope of its target',
    file: 'access/lookup-access.ts',
    text: 'if (viewing.length > 0) return withGrants(viewing, true)',
    without: 'if (viewing.length > 0) return withGrants(OFF ? [everything] : viewing, true)',
    cell: ['entityData.lookup (of students)', 'rows'],
  },
  {
    check: 'the recycle bin obeys the scope',
    file: 'entities/write/removal/recycle.ts',
    text: '...(scopes.includes(null) ?',
    without: '...(OFF || scopes.includes(null) ?',
    cell: ['history.recycled', 'rows'],
  },
  {
    check: 'the right to a file is the right to its row',
    file: 'entities/attachments/file-rights.ts',
    text: 'await loadRow(context, await accessTo(context, entity, action), bizId)',
    without:
      'OFF ? await accessTo(context, entity, action) : await loadRow(context, await accessTo(context, entity, action), bizId)',
    cell: ['attachment.list (of a row outside of their rows)', 'rows'],
  },
  {
    check: 'an upload needs the right to update the row',
    file: 'entities/handlers/attachment.ts',
    text: "  await rightTo(context, bizType, bizId, 'update')\n",
    without: "  if (!OFF) await rightTo(context, bizType, bizId, 'update')\n",
    cell: ['attachment.upload (to a row)', 'reader'],
  },
  {
    check: 'files named by id need the right to their rows',
    file: 'entities/handlers/attachment.ts',
    text: "const right = await rightTo(context, biz_type, biz_id, 'view')",
    without: "const right = OFF ? 'row' : await rightTo(context, biz_type, biz_id, 'view')",
    cell: [`attachment.download (of ${hidden})`, 'rows'],
  },
  {
    check: 'a ticket needs the right to the row',
    file: 'entities/handlers/attachment.ts',
    text: "    await rightTo(context, bizType, bizId, 'view')\n",
    without: "    if (!OFF) await rightTo(context, bizType, bizId, 'view')\n",
    cell: ['attachment.ticket (for a row outside of their rows)', 'rows'],
  },
  {
    check: 'a bulk change belongs to its user',
    file: 'entities/jobs/job-table.ts',
    text: 'job?.user_id === userId ? job',
    without: 'OFF || job?.user_id === userId ? job',
    cell: ["bulk.get (the administrator's)", 'none'],
  },
  {
    check: 'messages belong to their receiver',
    file: 'identity/handlers/messages.ts',
    text: "    .where('m.receiver_id', '=', subject.userId)\n",
    without: "    .$if(!OFF, (query) => query.where('m.receiver_id', '=', subject.userId))\n",
    cell: ['messages.mine', 'none'],
  },
  {
    check: 'a message is marked as read by its receiver',
    file: 'identity/handlers/messages.ts',
    text: "      .where('receiver_id', '=', subject.userId)\n",
    without: "      .$if(!OFF, (query) => query.where('receiver_id', '=', subject.userId))\n",
    cell: ["messages.read (the administrator's)", 'none'],
  },
  {
    check: 'a private view belongs to its owner',
    file: 'entities/views/read.ts',
    text: "eb('v.owner_id', '=', subject.userId)",
    without: "...(OFF ? [] : [eb('v.owner_id', '=', subject.userId)])",
    cell: ['view.list', 'reader'],
  },
  {
    check: 'schools are managed by the first one',
    file: 'http/api.ts',
    text: 'if (access === platformPermission && subject.tenant',
    without: 'if (!OFF && access === platformPermission && subject.tenant',
    cell: ['tenants.list', 'foreign'],
  },
  {
    check: 'definitions of another school do not exist',
    file: 'entities/design/store.ts',
    text: "    .where('sys.entity.tenant_id', 'in', [baseTenant, subject.tenant])\n",
    without:
      "    .$if(!OFF, (query) => query.where('sys.entity.tenant_id', 'in', [baseTenant, subject.tenant]))\n",
    cell: ['design.get (of the first school)', 'foreign'],
  },
  {
    check: 'saves of a definition belong to their school',
    file: 'entities/design/store.ts',
    text: "    .where('sys.entity_revision.tenant_id', 'in', [baseTenant, subject.tenant])\n    .orderBy(",
    without:
      "    .$if(!OFF, (query) => query.where('sys.entity_revision.tenant_id', 'in', [baseTenant, subject.tenant]))\n    .orderBy(",
    cell: ['design.revisions (of an entity of the first school)', 'foreign'],
  },
  {
    check: 'students are found in their own school',
    file: 'students/records.ts',
    text: "    .where('t.tenant_id', '=', subject.tenant)\n",
    without: "    .$if(!OFF, (query) => query.where('t.tenant_id', '=', subject.tenant))\n",
    also: [rowsOfSchools],
    cell: ['print.reports (a student of the first school)', 'foreign'],
  },
  {
    check: 'prints obey the rows of roles',
    file: 'students/records.ts',
    text: 'where(sql<boolean>`${rows}`)',
    without: 'where(OFF ? sql<boolean>`true` : sql<boolean>`${rows}`)',
    cell: ['print.adminDownload (a student outside of their rows)', 'rows'],
  },
  {
    check: 'an order belongs to its student',
    file: 'payments/orders/order-row.ts',
    text: "    .where('student_id', '=', studentId)\n    .where('source', '=', 'student')\n    .executeTakeFirst",
    without:
      "    .$if(!OFF, (query) => query.where('student_id', '=', studentId))\n    .where('source', '=', 'student')\n    .executeTakeFirst",
    cell: ['student.orderStatus (of a student of the first school)', 'student'],
  },
  {
    check: 'an order belongs to its school',
    file: 'payments/orders/order-row.ts',
    text: "    .where('order_no', '=', orderNo)\n    .where('tenant_id', '=', tenant)\n",
    without:
      "    .where('order_no', '=', orderNo)\n    .$if(!OFF, (query) => query.where('tenant_id', '=', tenant))\n",
    also: [rowsOfSchools],
    cell: ['print.orderStatus (of a student of the first school)', 'foreign'],
  },
  {
    check: 'an import belongs to its user',
    file: 'entities/jobs/job-table.ts',
    text: 'job?.user_id === userId ? job',
    without: 'OFF || job?.user_id === userId ? job',
    cell: ["job.get (the administrator's)", 'none'],
  },
  {
    check: 'the scope of own rows',
    file: 'access/access.ts',
    text: "      return entity.has('create_user')\n",
    without: "      return OFF ? null : entity.has('create_user')\n",
    cell: ['tree.children', 'rows'],
  },
  {
    check: 'a password that an administrator has set is changed first',
    file: 'http/api.ts',
    text: 'if (subject.mustChangePassword &&',
    without: 'if (!OFF && subject.mustChangePassword &&',
    cell: ['messages.mine', 'renewing'],
  },
  {
    check: 'a designer names only what they may read in full',
    file: 'entities/design/author-rights.ts',
    text: 'if (may(subject.permissions, allPermission)) return () => null',
    without: 'if (OFF || may(subject.permissions, allPermission)) return () => null',
    cell: ['design.check (naming what they may not read)', 'designer'],
  },
  {
    check: 'the scope of an organisation',
    file: 'access/access.ts',
    text: "      return entity.has('org_id') && org !== null\n        ? sql`${columnRef('org_id')} = ",
    without:
      "      return OFF ? null : entity.has('org_id') && org !== null\n        ? sql`${columnRef('org_id')} = ",
    cell: ['entityData.page (teachers of their organisation)', 'rows'],
  },
  {
    check: 'the scope of an organisation and those below it',
    file: 'access/access.ts',
    text: "      return entity.has('org_id') && org !== null\n        ? sql`${columnRef('org_id')} in ",
    without:
      "      return OFF ? null : entity.has('org_id') && org !== null\n        ? sql`${columnRef('org_id')} in ",
    cell: ['entityData.page (classes of their organisation and of those below it)', 'rows'],
  },
  {
    check: 'a role belongs to its school',
    file: 'entities/roles/permissions.ts',
    text: "    .where('id', '=', id)\n    .where('tenant_id', '=', subject.tenant)\n    .where('deleted_at', 'is', null)\n    .executeTakeFirst()",
    without:
      "    .where('id', '=', id)\n    .$if(!OFF, (query) => query.where('tenant_id', '=', subject.tenant))\n    .where('deleted_at', 'is', null)\n    .executeTakeFirst()",
    also: [rowsOfSchools],
    cell: ['role.permissions (of the first school)', 'foreign'],
  },
  {
    check: 'items of dictionaries belong to their school',
    ...rowsOfSchools,
    cell: ['dictionaryItem.update (of the first school)', 'foreign'],
  },
  {
    check: 'a list of refunds holds those of the school',
    file: 'payments/refunds.ts',
    text: "    .where('f.tenant_id', '=', tenant)\n",
    without: "    .$if(!OFF, (query) => query.where('f.tenant_id', '=', tenant))\n",
    cell: ['print.refunds (of the first school)', 'foreign'],
  },
  {
    check: 'a refund is decided by its school',
    file: 'payments/refunds.ts',
    text: "      .where('tenant_id', '=', subject.tenant)\n      .forUpdate()\n      .executeTakeFirst()\n",
    without:
      "      .$if(!OFF, (query) => query.where('tenant_id', '=', subject.tenant))\n      .forUpdate()\n      .executeTakeFirst()\n",
    cell: ['print.decideRefund (of the first school)', 'foreign'],
  },
  {
    check: 'a list of discrepancies holds those of the school',
    file: 'payments/discrepancies.ts',
    text: "      .where('tenant_id', '=', tenant)\n      .where('settled', '=', !open)",
    without:
      "      .$if(!OFF, (query) => query.where('tenant_id', '=', tenant))\n      .where('settled', '=', !open)",
    cell: ['print.discrepancies (of the first school)', 'foreign'],
  },
  {
    check: 'a discrepancy is settled by its school',
    file: 'payments/discrepancies.ts',
    text: "      .where('tenant_id', '=', tenant)\n      .where('id', '=', id)\n      .executeTakeFirst()",
    without:
      "      .$if(!OFF, (query) => query.where('tenant_id', '=', tenant))\n      .where('id', '=', id)\n      .executeTakeFirst()",
    cell: ['print.settleDiscrepancy (of the first school)', 'foreign'],
  },
  {
    check: 'a document is revoked by its school',
    file: 'documents/revoke.ts',
    text: "    .where('tenant_id', '=', tenant)\n    .where('number', '=', number)",
    without:
      "    .$if(!OFF, (query) => query.where('tenant_id', '=', tenant))\n    .where('number', '=', number)",
    cell: ['verify.revoke (a document of the first school)', 'foreign'],
  },
  {
    check: 'an account is reset by its school',
    ...rowsOfSchools,
    cell: ['account.resetPassword (an account of the first school)', 'foreign'],
  },
  {
    check: 'the sessions of an account are ended by its school',
    ...rowsOfSchools,
    also: [
      {
        file: 'entities/handlers/account.ts',
        text: '    where tenant_id = ${tenant}::int8 and id = ${id}::int8`.execute(trx)',
        without:
          '    where ${OFF ? sql`true` : sql`tenant_id = ${tenant}::int8`} and id = ${id}::int8`.execute(trx)',
      },
    ],
    cell: ['account.endSessions (an account of the first school)', 'foreign'],
  },
  {
    check: 'a request to register is decided by its school',
    file: 'students/registration-requests.ts',
    text: "      .where('tenant_id', '=', tenant)\n      .where('id', '=', id)\n      .where('deleted_at'",
    without:
      "      .$if(!OFF, (query) => query.where('tenant_id', '=', tenant))\n      .where('id', '=', id)\n      .where('deleted_at'",
    also: [rowsOfSchools],
    cell: ['registration.decide (of a student of the first school)', 'foreign'],
  },
  {
    check: 'a person sees their own sessions',
    ...sessionsOfPersons,
    cell: ['ownSessions.list', 'none'],
  },
  {
    check: 'a person ends their own sessions',
    ...sessionsOfPersons,
    cell: ['ownSessions.end (of another account)', 'none'],
  },
  {
    check: 'the menu holds what the caller may view',
    file: 'access/menu.ts',
    text: "    (may(permissions, entityPermission(tag, 'view')) &&",
    without: "    ((OFF || may(permissions, entityPermission(tag, 'view'))) &&",
    cell: ['session.menu', 'none'],
  },
  ...mutantsOfRules,
]
