import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { DomainEventName } from '../domain/domain-events.js';
import { type Announced, ListensTo } from './on-domain-event.js';

type Listen = (event: Announced) => Promise<void>;

/** The listeners of this server, found among all providers by `OnDomainEvent`. */
@Injectable()
export class EventListeners implements OnModuleInit {
  private readonly listeners = new Map<string, Map<DomainEventName, Listen>>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws Error if two methods of one listener take the same event: only one of them could be right. */
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
    return [...this.listeners.keys()];
  }

  /**
   * Hands an event to one listener, which ignores what it does not listen to.
   * @throws whatever the listener throws
   */
  async announce(listener: string, event: Announced): Promise<void> {
    await this.listeners.get(listener)?.get(event.name)?.(event);
  }

  private add(listener: string, name: DomainEventName, listen: Listen): void {
    const methods = this.listeners.get(listener) ?? new Map<DomainEventName, Listen>();
    if (methods.has(name)) throw new Error(`The listener ${listener} has two methods for ${name}.`);
    this.listeners.set(listener, methods.set(name, listen));
  }
}
