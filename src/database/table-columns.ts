import { getMetadataArgsStorage } from 'typeorm';
import { wellFormed } from './storable-text.js';

interface Column {
  /** Name in the code, `positionInChain`. */
  property: string;
  /** Name in SQL, `position_in_chain`. */
  name: string;
  type: string;
}

type Name<Row> = Extract<keyof Row, string>;

/**
 * Some columns of one table, as the `@Column` decorators of its entity declare them; TypeORM itself reads none.
 * Statements that write or read many rows at once are made of them, so that a column has one declaration, and the
 * compiler sees that each row has a value for it.
 */
export class TableColumns<Row extends object> {
  private constructor(private readonly columns: readonly Column[]) {}

  /** All columns of an entity, and of the classes that it extends. Types have to be given in their decorators. */
  static of<Entity extends object>(entity: new () => Entity): TableColumns<Entity> {
    const columns = getMetadataArgsStorage()
      .filterColumns(inheritanceOf(entity))
      .map(({ propertyName: property, options }) => {
        if (typeof options.type !== 'string') throw new Error(`${entity.name}.${property} has no type for PostgreSQL.`);
        const type = options.array ? `${options.type}[]` : options.type;
        return { property, name: options.name ?? snakeCase(property), type };
      });
    return new TableColumns<Entity>(columns);
  }

  pick<Key extends Name<Row>>(...properties: Key[]): TableColumns<Pick<Row, Key>> {
    return new TableColumns(properties.map((property) => this.columns.find((column) => column.property === property)!));
  }

  without<Key extends Name<Row>>(...properties: Key[]): TableColumns<Omit<Row, Key>> {
    return new TableColumns(this.columns.filter(({ property }) => !properties.includes(property as Key)));
  }

  /** With values that are no column of the table, by their types in PostgreSQL, for statements that need them. */
  and<Extra extends object>(types: Record<Name<Extra>, string>): TableColumns<Row & Extra> {
    const extra = Object.entries<string>(types).map(([property, type]) => {
      return { property, name: snakeCase(property), type };
    });
    return new TableColumns([...this.columns, ...extra]);
  }

  /** `avatar, position_in_chain` */
  get names(): string {
    return this.columns.map(({ name }) => name).join(', ');
  }

  /** `avatar = item.avatar, …`, for `set` from rows of the alias, such as `excluded` of `on conflict do update`. */
  assignedFrom(alias: string): string {
    return this.columns.map(({ name }) => `${name} = ${alias}.${name}`).join(', ');
  }

  /** `link.avatar as "avatar", link.position_in_chain as "positionInChain"`: rows that `read` takes. */
  selectedFrom(alias: string): string {
    return this.columns.map(({ name, property }) => `${alias}.${name} as "${property}"`).join(', ');
  }

  /** Rows of a parameter that `json` has made, to stand behind `from`: `json_to_recordset($1::json) as item(…)`. */
  rowsOf(parameter: string, alias = 'item'): string {
    const types = this.columns.map(({ name, type }) => `${name} ${type}`).join(', ');
    return `json_to_recordset(${parameter}::json) as ${alias}(${types})`;
  }

  /** The value of a parameter for `rowsOf`. */
  json(rows: readonly Row[]): string {
    const valueOf = (row: Row, property: string): unknown => (row as Record<string, unknown>)[property];
    return wellFormedJson(
      rows.map((row) => Object.fromEntries(this.columns.map(({ name, property }) => [name, valueOf(row, property)]))),
    );
  }

  /** These columns of a row that `selectedFrom` has selected. */
  read(row: object): Row {
    const values = this.columns.map(({ property }) => [property, (row as Record<string, unknown>)[property]]);
    return Object.fromEntries(values) as Row;
  }
}

type EntityClass = abstract new () => object;

function inheritanceOf(entity: EntityClass): EntityClass[] {
  const parent = Object.getPrototypeOf(entity) as EntityClass;
  return parent === Function.prototype ? [entity] : [entity, ...inheritanceOf(parent)];
}

/** Puts `_` before each capital that starts a word: `prevId` -> `prev_id`, `avatarURLText` -> `avatar_url_text`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** JSON text of a value, for a parameter of type json: PostgreSQL refuses JSON with half of a surrogate pair. */
function wellFormedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'string' ? wellFormed(member) : member));
}
