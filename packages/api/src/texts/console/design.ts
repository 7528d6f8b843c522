export const designTexts = {
  'design.branch': ['业务数据', 'Business data'],
  'design.checkFormat': ['请检查格式', 'Check the format'],
  'design.create_user': ['创建人', 'Created by'],
  'design.create_time': ['创建时间', 'Created at'],
  'design.update_user': ['修改人', 'Changed by'],
  'design.update_time': ['修改时间', 'Changed at'],
  'design.saved': ['保存成功', 'Saved successfully'],
  'design.tagTaken': ['标识 {tag} 已被使用', 'The tag {tag} is already in use'],
  'design.builtIn': [
    '系统自带的实体不能删除',
    'An entity shipped with the product cannot be deleted',
  ],
  'design.needsSql': [
    '「{label}」使用了自定义 SQL，需要“自定义 SQL”权限',
    '“{label}” uses custom SQL, which needs the permission for it',
  ],
  'design.right.adopt': [
    '使用还没有人用过的表或列（entity:adopt）',
    'to use a table or column that nobody has used yet (entity:adopt)',
  ],
  'design.right.view': [
    '查看「{tag}」的全部记录和该字段（entity:{tag}:view，没有行规则和字段规则）',
    'to view every row of {tag} and that field (entity:{tag}:view without rules for rows or the field)',
  ],
  'design.systemTable': ['系统表的实体不能新建', 'Entities on system tables cannot be made'],
  'design.systemAdmin': [
    '系统表的实体只有系统管理员可以改动',
    'Entities on system tables are changed by administrators only',
  ],
  'design.flowRemains': [
    '不能删除：流程有 {n} 件未办结，只由它改变的字段：{fields}。请先办结，并在设计器的“流程”中删除流程，再删除定义。',
    'Not deleted: the flow has {n} open cases; fields that it alone changes: {fields}. Let the cases end and remove the flow in the designer first.',
  ],
  'design.tagFixed': ['标识保存后不能修改', 'A tag cannot be changed once it is saved'],
  'impact.lookup': [
    '实体 {tag} 的「{label}」从这里取选项（{name}）',
    '“{label}” of {tag} takes its choices from here ({name})',
  ],
  'impact.cascade': [
    '实体 {tag} 的「{label}」按 {name} 级联',
    '“{label}” of {tag} cascades by {name}',
  ],
  'impact.button': [
    '实体 {tag} 的按钮「{label}」会写入 {name}',
    'Button “{label}” of {tag} writes {name}',
  ],
  'impact.rule': [
    '角色「{role}」对表 {name} 的字段规则和行规则不再适用',
    'The field and row rules of role “{role}” on the table {name} no longer apply',
  ],
  'impact.menu': ['菜单「{label}」指向这个实体', 'The menu entry “{label}” leads to this entity'],
  'impact.template': [
    '之前下载的导入模板中，列「{label}」将不再匹配',
    'Column “{label}” of import templates handed out so far will no longer match',
  ],
  'impact.customValue': [
    '自定义字段「{label}」已有 {n} 个值，将不再显示',
    'The custom field “{label}” has {n} values, which will no longer be shown',
  ],
  'impact.flowCases': [
    '流程有 {n} 件未办结，仍按开始时的流程办完',
    'The flow has {n} open cases, which end as they began',
  ],
  'impact.flowOwned': [
    '{name} 不再只由流程改变，有权修改的人都可以改',
    '{name} changes by anybody who may edit it, no more by the flow alone',
  ],
  'impact.serial': [
    '编号规则改变后，新编号可能与已有编号不连续',
    'With another rule, new serial numbers may not follow on from the old ones',
  ],
  'sql.hidden': [
    '原文已隐藏，且这里没有对应的 SQL',
    'its text is hidden, and no SQL here is the one it stands for',
  ],
  'sql.syntax': ['语法错误', 'it does not parse'],
  'sql.notSelect': ['只能是一条 SELECT', 'it must be one SELECT'],
  'sql.node': ['不允许使用 {name}', '{name} is not allowed'],
  'sql.function': ['不允许使用函数 {name}', 'the function {name} is not allowed'],
  'sql.table': [
    '不能读取表 {name}，请写成 biz.表名',
    'the table {name} cannot be read; write biz.table',
  ],
  'sql.secretColumn': [
    '列 {name} 像是密码或密钥，不能读取',
    'the column {name} looks like a password or key and cannot be read',
  ],
  'sql.type': ['不允许转换为类型 {name}', 'no cast to {name}'],
  'sql.bind': ['没有参数 {name}', 'there is no parameter {name}'],
  'sql.tooLong': ['超过 {n} 个字符', 'it is longer than {n} characters'],
  'sql.cost': ['查询代价过高，请缩小范围', 'the query costs too much: narrow it'],
  'sql.growth': [
    '{name} 可能产生超过 1 MB 的值：请缩短各部分，聚合时先在子查询里用 limit 限制行数',
    '{name} may make a value of more than 1 MB: shorten its parts, and for an aggregate limit the rows in a subquery',
  ],
  'sql.off': [
    '这条自定义 SQL 多次超时，已停用：请设计人员修改后重新保存',
    'This custom SQL exceeded its time repeatedly and is switched off: its designer has to change and save it',
  ],
  'sql.offTitle': ['自定义 SQL 已停用', 'A custom SQL was switched off'],
  'sql.offMessage': [
    '实体 {tags} 中的一条自定义 SQL 两次超过 {seconds} 秒，已停用。请在设计器中修改它，重新保存后恢复。',
    'A custom SQL of {tags} took more than {seconds} s twice and is switched off. Change it in the designer; saving switches it on again.',
  ],
  'sql.slow': ['自定义 SQL 超时，请缩小范围', 'The custom SQL took too long: narrow it'],
  'sql.personalJoin': [
    '自定义 SQL 不能按遮盖的敏感信息“{name}”关联数据：请按 id 关联',
    'A custom SQL cannot join rows by {name}, which is personal data and masked: join by id',
  ],
  'sql.bindTooLong': ['查询条件过长', 'The search is too long'],
  'sql.columns': ['结果必须有 id 和 name 两列', 'its result must have the columns id and name'],
  'sql.failed': [
    '自定义 SQL 执行失败，请联系管理员',
    'The custom SQL failed: tell an administrator',
  ],
} as const
