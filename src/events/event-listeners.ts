import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import type { DomainEventName } from '../domain/domain-events.js';
import { type Announced, ListensTo } from './on-domain-event.js';

type Listen = (event: Announced) => Promise<void>;

/**
 * The listeners of this server, found among all providers by `OnDomainEvent` and subscribed to the event emitter, each
 * under a name of its own: the relay announces an event to one listener at a time, because each has its own cursor.
 */
@Injectable()
export class EventListeners implements OnModuleInit {
  private readonly listeners = new Set<string>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly emitter: EventEmitter2,
  ) {}

  /** @throws Error if two methods of one listener handle the same event: only one of them could be right. */
  onModuleInit(): void {
    for (const wrapper of this.discovery.getProviders()) {
      const instance = wrapper.instance as Record<string, Listen> | null;
      if (typeof instance !== 'object' || instance === null) continue;
      for (const method of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object | null)) {
        const found = this.discovery.getMetadataByDecorator(ListensTo, wrapper, method);
        for (const name of found?.names ?? []) this.add(found!.listener, name, (event) => instance[method]!(event));
      }
    }
  }

  get names(): string[] {
    return [...this.listeners];
  }

  /**
   * Hands an event to one listener, which ignores what it does not listen to.
   * @throws the error of the listener
   */
  async announce(listener: string, event: Announced): Promise<void> {
    await this.emitter.emitAsync(emitterName(listener, event.name), event);
  }

  private add(listener: string, name: DomainEventName, listen: Listen): void {
    const emitted = emitterName(listener, name);
    if (this.emitter.hasListeners(emitted)) throw new Error(`The listener ${listener} has two methods for ${name}.`);
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- `emitAsync` waits for what listeners return
    this.emitter.on(emitted, listen);
    this.listeners.add(listener);
  }
}

function emitterName(listener: string, name: DomainEventName): string {
  return `${listener}/${name}`;
}
