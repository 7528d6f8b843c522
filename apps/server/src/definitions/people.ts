import { entity, times } from './build.ts'

const status = { as: 'switch', uses: 'LQDXAE', default: '1', column: { align: 'center' } } as const
const sort = { as: 'inputNumber', uses: 'LDXAE', default: '0', column: { align: 'right', width: 80 } } as const
const byOrder = { sorts: [{ column: 'sort', asc: true }] }

export const people = [
  entity({
    no: 201, tag: 'SYS_USER', name: '用户', nameEn: 'User', table: 'sys.app_user', options: { sorts: [{ column: 'account', asc: true }] },
    fields: [
      ['account', '账号', 'Account', { uses: 'LQDXAe', query: 'like', required: true, max: 64, column: { width: 140, fixed: 'left' } }], ['name', '姓名', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 50, column: { width: 120 } }],
      ['password', '密码', 'Password', { as: 'password', uses: 'AE', columnName: 'password_hash', max: 128 }], ['roles', '角色', 'Roles', { as: 'multiSelect', ref: 'SYS_ROLE.name', columnName: 'role_ids', uses: 'LQDXAE', query: 'multiContains', column: { width: 200 } }],
      ['org', '所属机构', 'Organisation', { as: 'selectTree', ref: 'SYS_ORG.name', columnName: 'org_id', uses: 'LQDXAE', column: { width: 160 } }], ['station', '岗位', 'Station', { as: 'select', ref: 'SYS_STATION.name', columnName: 'station_id' }],
      ['mobile', '手机号', 'Mobile', { type: 'mobile', column: { width: 130 } }], ['email', '邮箱', 'E-mail', { type: 'Email', max: 100, column: { width: 200 } }], ['status', '启用', 'Enabled', status],
      ['lastLoginAt', '最近登录', 'Last sign-in', { as: 'datetime', uses: 'LD' }], ['remarks', '备注', 'Remarks', { as: 'textarea', uses: 'DAE', width: 100, max: 500 }], ...times,
    ],
    buttons: [['resetPassword', '重置密码', 'Reset password', 'key', 2, 'row.id != user.id', [{ do: 'open', to: '/account/{id}/password?account={account}&name={name}', where: 'drawer' }]]],
  }),
  entity({
    no: 202, tag: 'SYS_ROLE', name: '角色', nameEn: 'Role', table: 'sys.role', options: { sorts: [{ column: 'code', asc: true }] },
    fields: [
      ['code', '角色代码', 'Code', { uses: 'LQDXAe', query: 'like', required: true, max: 64, column: { width: 200 } }], ['name', '角色名称', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 50, column: { width: 200 } }],
      ['nameEn', '英文名称', 'English name', { max: 100 }], ['status', '启用', 'Enabled', status], ['remarks', '备注', 'Remarks', { as: 'textarea', uses: 'LDAE', width: 100, max: 500 }], ...times,
    ],
    buttons: [['permissions', '权限', 'Permissions', 'key', 2, null, [{ do: 'open', to: '/role/{id}/permissions', where: 'tab' }]]],
  }),
  entity({
    no: 203, tag: 'SYS_ORG', name: '机构', nameEn: 'Organisation', table: 'sys.org', parent: 'pid', options: byOrder,
    fields: [
      ['code', '机构代码', 'Code', { uses: 'LQDXAE', query: 'rightLike', required: true, max: 40 }], ['name', '机构名称', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 220 } }],
      ['pid', '上级机构', 'Parent', { as: 'selectTree', ref: 'SYS_ORG.name', uses: 'LQDXAE', column: { width: 180 } }], ['leader', '负责人', 'Leader', { max: 50 }], ['phone', '联系电话', 'Phone', { max: 30 }], ['sort', '排序', 'Order', sort], ...times,
    ],
  }),
  entity({
    no: 204, tag: 'SYS_STATION', name: '岗位', nameEn: 'Station', table: 'sys.station', options: byOrder,
    fields: [['code', '岗位代码', 'Code', { uses: 'LQDXAE', required: true, max: 40 }], ['name', '岗位名称', 'Name', { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 200 } }], ['sort', '排序', 'Order', sort], ['remarks', '备注', 'Remarks', { as: 'textarea', uses: 'LDAE', width: 100, max: 500 }], ...times],
  }),
  entity({
    no: 205, tag: 'SYS_TENANT', name: '租户', nameEn: 'Tenant', table: 'sys.tenant', options: { sorts: [{ column: 'code', asc: true }] },
    fields: [['code', '租户代码', 'Code', { uses: 'LQDX', query: 'like' }], ['name', '租户名称', 'Name', { uses: 'LQDXE', query: 'like', required: true, max: 100, column: { width: 240 } }], ['status', '启用', 'Enabled', { as: 'switch', uses: 'LQDX', column: { align: 'center' } }], ['remarks', '备注', 'Remarks', { as: 'textarea', uses: 'LDE', width: 100, max: 500 }], ...times],
  }),
]
