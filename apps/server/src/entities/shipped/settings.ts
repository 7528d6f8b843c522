import { entity, times } from './build.ts'

const status = { as: 'switch', uses: 'LQDXAE', default: '1', column: { align: 'center' } } as const
const sort = {
  as: 'inputNumber',
  uses: 'LDXAE',
  default: '0',
  column: { align: 'right', width: 80 },
} as const
const remarks = [
  'remarks',
  '备注',
  'Remarks',
  { as: 'textarea', uses: 'LDXAE', width: 100, max: 500 },
] as const
const byOrder = { sorts: [{ column: 'sort', asc: true }] }

export const settings = [
  entity({
    no: 301,
    tag: 'SYS_MENU',
    name: '菜单',
    nameEn: 'Menu',
    table: 'sys.menu',
    parent: 'pid',
    options: byOrder,
    fields: [
      [
        'name',
        '菜单名称',
        'Name',
        { uses: 'LQDXAE', query: 'like', required: true, max: 50, column: { width: 160 } },
      ],
      ['nameEn', '英文名称', 'English name', { max: 100, column: { width: 160 } }],
      ['pid', '上级菜单', 'Parent', { as: 'selectTree', ref: 'SYS_MENU.name', uses: 'LQDXAE' }],
      ['path', '路由', 'Route', { max: 200, column: { width: 240 } }],
      [
        'entityTag',
        '实体标识',
        'Entity tag',
        { max: 63, columnName: 'tag', column: { width: 150 } },
      ],
      ['icon', '图标', 'Icon', { max: 50 }],
      ['sort', '排序', 'Order', sort],
      ['hidden', '隐藏', 'Hidden', { as: 'switch', default: '0', column: { align: 'center' } }],
      ...times,
    ],
  }),
  entity({
    no: 302,
    tag: 'SYS_DICT',
    name: '字典',
    nameEn: 'Dictionary',
    table: 'sys.dict',
    options: { sorts: [{ column: 'code', asc: true }] },
    fields: [
      [
        'code',
        '字典代码',
        'Code',
        { uses: 'LQDXAe', query: 'like', required: true, max: 64, column: { width: 200 } },
      ],
      [
        'name',
        '字典名称',
        'Name',
        { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 200 } },
      ],
      remarks,
      ...times,
    ],
  }),
  entity({
    no: 303,
    tag: 'SYS_DICT_ITEM',
    name: '字典项',
    nameEn: 'Dictionary item',
    table: 'sys.dict_item',
    options: {
      sorts: [
        { column: 'dictCode', asc: true },
        { column: 'sort', asc: true },
      ],
    },
    fields: [
      [
        'dictCode',
        '字典代码',
        'Dictionary',
        { uses: 'LQDXAe', required: true, max: 64, column: { width: 180 } },
      ],
      [
        'itemCode',
        '项代码',
        'Item',
        { uses: 'LQDXAe', required: true, max: 64, column: { width: 140 } },
      ],
      [
        'name',
        '名称',
        'Name',
        { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 180 } },
      ],
      ['nameEn', '英文名称', 'English name', { max: 200, column: { width: 180 } }],
      ['pid', '上级项', 'Parent', { uses: 'DXAE', default: '0', max: 64 }],
      ['sort', '排序', 'Order', sort],
      ['status', '启用', 'Enabled', status],
      ...times,
      ['tone', '颜色', 'Colour', { as: 'select', dict: 'itemTone', column: { width: 90 } }],
    ],
  }),
  entity({
    no: 304,
    tag: 'SYS_AREA',
    name: '地区',
    nameEn: 'Area',
    table: 'sys.area',
    parent: 'pid',
    options: {
      sorts: [
        { column: 'sort', asc: true },
        { column: 'code', asc: true },
      ],
    },
    fields: [
      ['code', '地区代码', 'Code', { uses: 'LQDXAE', query: 'rightLike', required: true, max: 20 }],
      [
        'name',
        '地区名称',
        'Name',
        { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 200 } },
      ],
      ['pid', '上级地区', 'Parent', { as: 'selectTree', ref: 'SYS_AREA.name', uses: 'LQDXAE' }],
      ['sort', '排序', 'Order', sort],
      ...times,
    ],
  }),
  entity({
    no: 305,
    tag: 'SYS_PARAM',
    name: '参数',
    nameEn: 'Parameter',
    table: 'sys.param',
    options: { sorts: [{ column: 'code', asc: true }] },
    fields: [
      [
        'code',
        '参数代码',
        'Code',
        { uses: 'LQDXAe', query: 'like', required: true, max: 64, column: { width: 220 } },
      ],
      [
        'name',
        '参数名称',
        'Name',
        { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 220 } },
      ],
      ['value', '值', 'Value', { max: 2000, width: 100, column: { width: 320 } }],
      remarks,
      ...times,
    ],
  }),
  entity({
    no: 306,
    tag: 'SYS_APPLICATION',
    name: '应用',
    nameEn: 'Application',
    table: 'sys.application',
    fields: [
      [
        'clientId',
        '应用标识',
        'Client id',
        { uses: 'LQDXAe', required: true, max: 64, column: { width: 180 } },
      ],
      [
        'name',
        '应用名称',
        'Name',
        { uses: 'LQDXAE', query: 'like', required: true, max: 100, column: { width: 200 } },
      ],
      ['url', '地址', 'Address', { type: 'Http', max: 200, column: { width: 260 } }],
      ['status', '启用', 'Enabled', status],
      remarks,
      ...times,
    ],
  }),
  entity({
    no: 307,
    tag: 'SYS_API',
    name: '系统接口',
    nameEn: 'System API',
    table: 'sys.api',
    options: { sorts: [{ column: 'path', asc: true }] },
    fields: [
      ['name', '接口名称', 'Name', { uses: 'LQDX', query: 'like', column: { width: 220 } }],
      ['method', '方法', 'Method', { uses: 'LQDX', column: { width: 90 } }],
      ['path', '路径', 'Path', { uses: 'LQDX', query: 'like', column: { width: 340 } }],
      ['access', '权限', 'Access', { uses: 'LDX', column: { width: 220 } }],
      ['remarks', '备注', 'Remarks', { as: 'textarea', uses: 'LDXE', width: 100, max: 500 }],
    ],
  }),
]
