/// The delegated permissions of Microsoft Graph (github.com/microsoftgraph/microsoft-graph-devx-content,
/// `permissions/new/permissions.json`).
package enum GraphPermissions {
  /// In lower case.
  package static let delegated = Set(names.lowercased().split { $0 == " " || $0 == "\n" }.map(String.init))

  private static let names = """
    APIConnectors.ReadWrite.All AccessReview.Read.All AccessReview.ReadWrite.All
    AccessReview.ReadWrite.Membership Acronym.Read.All AdministrativeUnit.Read.All
    AdministrativeUnit.ReadWrite.All AgentCardManifest.Read.All AgentCardManifest.ReadWrite.All
    AgentCollection.Read.All AgentCollection.Read.Global AgentCollection.Read.Quarantined
    AgentCollection.ReadWrite.All AgentCollection.ReadWrite.Global AgentCollection.ReadWrite.Quarantined
    AgentIdUser.ReadWrite.All AgentIdUser.ReadWrite.IdentityParentedBy AgentIdentity.Create.All
    AgentIdentity.DeleteRestore.All AgentIdentity.EnableDisable.All AgentIdentity.Read.All
    AgentIdentity.ReadWrite.All AgentIdentity.UpdateSponsors.All AgentIdentityBlueprint.AddRemoveCreds.All
    AgentIdentityBlueprint.Create AgentIdentityBlueprint.DeleteRestore.All AgentIdentityBlueprint.Read.All
    AgentIdentityBlueprint.ReadWrite.All AgentIdentityBlueprint.UpdateAuthProperties.All
    AgentIdentityBlueprint.UpdateBranding.All AgentIdentityBlueprint.UpdateSponsors.All
    AgentIdentityBlueprintPrincipal.Create AgentIdentityBlueprintPrincipal.DeleteRestore.All
    AgentIdentityBlueprintPrincipal.EnableDisable.All AgentIdentityBlueprintPrincipal.Read.All
    AgentIdentityBlueprintPrincipal.ReadWrite.All AgentInstance.Read.All AgentInstance.ReadWrite.All
    AgentRegistration.Read.All AgentRegistration.ReadWrite.All Agreement.Read.All Agreement.ReadWrite.All
    AgreementAcceptance.Read AgreementAcceptance.Read.All AiEnterpriseInteraction.Read Analytics.Read
    AppCatalog.Read.All AppCatalog.ReadWrite.All AppCatalog.Submit AppCertTrustConfiguration.Read.All
    AppCertTrustConfiguration.ReadWrite.All AppRegistration.Create AppRoleAssignment.ReadWrite.All
    Application-RemoteDesktopConfig.ReadWrite.All Application.Read.All Application.ReadWrite.All
    ApprovalSolution.Read ApprovalSolution.ReadWrite ApprovalSolutionResponse.ReadWrite
    AttackSimulation.Read.All AttackSimulation.ReadWrite.All AuditActivity.Read AuditActivity.Write
    AuditLog.Read.All AuditLogsQuery-CRM.Read.All AuditLogsQuery-Endpoint.Read.All
    AuditLogsQuery-Entra.Read.All AuditLogsQuery-Exchange.Read.All AuditLogsQuery-OneDrive.Read.All
    AuditLogsQuery-SharePoint.Read.All AuditLogsQuery.Read.All AuthenticationContext.Read.All
    AuthenticationContext.ReadWrite.All BackupRestore-Configuration.Read.All
    BackupRestore-Configuration.ReadWrite.All BackupRestore-Control.Read.All
    BackupRestore-Control.ReadWrite.All BackupRestore-Restore.Read.All BackupRestore-Restore.ReadWrite.All
    BackupRestore-Search.Read.All BitlockerKey.Read.All BitlockerKey.ReadBasic.All Bookings.Manage.All
    Bookings.Read.All Bookings.ReadWrite.All BookingsAppointment.ReadWrite.All Bookmark.Read.All
    BrowserSiteLists.Read.All BrowserSiteLists.ReadWrite.All BusinessScenarioConfig.Read.All
    BusinessScenarioConfig.Read.OwnedBy BusinessScenarioConfig.ReadWrite.All
    BusinessScenarioConfig.ReadWrite.OwnedBy BusinessScenarioData.Read.OwnedBy
    BusinessScenarioData.ReadWrite.OwnedBy Calendars.Read Calendars.Read.Shared Calendars.ReadBasic
    Calendars.ReadWrite Calendars.ReadWrite.Shared CallDelegation.Read CallDelegation.ReadWrite
    CallEvents.Read CallRecordings.Read.All CallTranscripts.Read.All CaseManagement.Read.All
    CaseManagement.ReadWrite.All ChangeManagement.Read.All Channel.Create Channel.Delete.All
    Channel.ReadBasic.All ChannelMember.Read.All ChannelMember.ReadWrite ChannelMember.ReadWrite.All
    ChannelMessage.Edit ChannelMessage.Read.All ChannelMessage.ReadWrite ChannelMessage.Send
    ChannelSettings.Read.All ChannelSettings.ReadWrite.All Chat.Create Chat.ManageDeletion.All Chat.Read
    Chat.ReadBasic Chat.ReadWrite Chat.ReadWrite.All ChatMember.Read ChatMember.ReadWrite ChatMessage.Send
    CloudApp-Discovery.Read.All CloudPC.Read.All CloudPC.ReadWrite.All Community.Read.All
    Community.ReadWrite.All ConfigurationMonitoring.Read.All ConfigurationMonitoring.ReadWrite.All
    ConsentRequest.Read.All ConsentRequest.ReadWrite.All Contacts-OnPremisesSyncBehavior.ReadWrite.All
    Contacts.Read Contacts.Read.Shared Contacts.ReadWrite Contacts.ReadWrite.Shared Content.Process.All
    Content.Process.User ContentActivity.Read ContentActivity.Write CopilotPackages.Read.All
    CopilotPackages.ReadWrite.All CopilotPolicySettings.Read CopilotPolicySettings.ReadWrite
    CopilotSettings-LimitedMode.Read CopilotSettings-LimitedMode.ReadWrite CopilotTools.Read.All
    CrossTenantInformation.ReadBasic.All CrossTenantUserProfileSharing.Read
    CrossTenantUserProfileSharing.Read.All CrossTenantUserProfileSharing.ReadWrite
    CrossTenantUserProfileSharing.ReadWrite.All CustomAuthenticationExtension.Read.All
    CustomAuthenticationExtension.ReadWrite.All CustomDetection.Read.All CustomDetection.ReadWrite.All
    CustomSecAttributeAssignment.Read.All CustomSecAttributeAssignment.ReadWrite.All
    CustomSecAttributeAuditLogs.Read.All CustomSecAttributeDefinition.Read.All
    CustomSecAttributeDefinition.ReadWrite.All CustomSecAttributeProvisioning.Read.All
    CustomSecAttributeProvisioning.ReadWrite.All CustomTags.Read.All CustomTags.ReadWrite.All
    DelegatedAdminRelationship.Read.All DelegatedAdminRelationship.ReadWrite.All
    DelegatedPermissionGrant.ReadWrite.All Device.Command Device.CreateFromOwnedTemplate Device.Read
    Device.Read.All DeviceLocalCredential.Read.All DeviceLocalCredential.ReadBasic.All
    DeviceManagementApps.Read.All DeviceManagementApps.ReadWrite.All DeviceManagementCloudCA.Read.All
    DeviceManagementCloudCA.ReadWrite.All DeviceManagementConfiguration.Read.All
    DeviceManagementConfiguration.ReadWrite.All DeviceManagementManagedDevices.PrivilegedOperations.All
    DeviceManagementManagedDevices.Read.All DeviceManagementManagedDevices.ReadWrite.All
    DeviceManagementRBAC.Read.All DeviceManagementRBAC.ReadWrite.All DeviceManagementScripts.Read.All
    DeviceManagementScripts.ReadWrite.All DeviceManagementServiceConfig.Read.All
    DeviceManagementServiceConfig.ReadWrite.All DeviceTemplate.Create DeviceTemplate.Read.All
    DeviceTemplate.ReadWrite.All Directory.AccessAsUser.All Directory.Read.All Directory.ReadWrite.All
    DirectoryRecommendations.Read.All DirectoryRecommendations.ReadWrite.All
    Domain-InternalFederation.Read.All Domain-InternalFederation.ReadWrite.All Domain.Read.All
    Domain.ReadWrite.All EduAssignments.Read EduAssignments.ReadBasic EduAssignments.ReadWrite
    EduAssignments.ReadWriteBasic EduCurricula.Read EduCurricula.ReadWrite EduRoster.Read EduRoster.ReadBasic
    EduRoster.ReadWrite EduRoster.Write EngagementMeetingConversation.Read.All EngagementRole.Read
    EngagementRole.Read.All EngagementRole.ReadWrite.All EntitlementManagement.Read.All
    EntitlementManagement.ReadWrite.All EntitlementMgmt-SubjectAccess.ReadWrite EntraBackup.Read.All
    EntraBackup.ReadWrite.Preview EntraBackup.ReadWrite.Recovery EventListener.Read.All
    EventListener.ReadWrite.All ExchangeMessageTrace.Read.All ExternalConnection.Read.All
    ExternalConnection.ReadWrite.All ExternalConnection.ReadWrite.OwnedBy ExternalItem.Read.All
    ExternalItem.ReadWrite.All ExternalItem.ReadWrite.OwnedBy ExternalUserProfile.Read.All
    ExternalUserProfile.ReadWrite.All FileStorageContainer.Manage.All FileStorageContainer.Selected Files.Read
    Files.Read.All Files.Read.Selected Files.ReadWrite Files.ReadWrite.All Files.ReadWrite.AppFolder
    Files.ReadWrite.Selected Files.SelectedOperations.Selected Financials.ReadWrite.All Goals-Export.Read.All
    Goals-Export.ReadWrite.All Group-Conversation.Read.All Group-Conversation.ReadWrite.All
    Group-NestingSupport.ReadWrite.All Group-OnPremisesSyncBehavior.ReadWrite.All
    Group-PreferredDataLocation.ReadWrite.All Group-XTenantIdentitySync.Read.All Group.ManageProtection.All
    Group.Read.All Group.ReadBasic.All Group.ReadWrite.All GroupMember.Read.All GroupMember.ReadBasic.All
    GroupMember.ReadWrite.All GroupSettings.Read.All GroupSettings.ReadWrite.All
    HealthMonitoringAlert.Read.All HealthMonitoringAlert.ReadWrite.All HealthMonitoringAlertConfig.Read.All
    HealthMonitoringAlertConfig.ReadWrite.All IMAP.AccessAsUser.All IdentityNotifications.Read.All
    IdentityNotifications.ReadWrite.All IdentityProvider.Read.All IdentityProvider.ReadWrite.All
    IdentityRiskEvent.Read.All IdentityRiskyAgent.Read.All IdentityRiskyAgent.ReadWrite.All
    IdentityRiskyServicePrincipal.Read.All IdentityRiskyServicePrincipal.ReadWrite.All
    IdentityRiskyUser.Read.All IdentityRiskyUser.ReadWrite.All IdentityUserFlow.Read.All
    IdentityUserFlow.ReadWrite.All IndustryData-DataConnector.Read.All
    IndustryData-DataConnector.ReadWrite.All IndustryData-DataConnector.Upload
    IndustryData-InboundFlow.Read.All IndustryData-InboundFlow.ReadWrite.All
    IndustryData-OutboundFlow.Read.All IndustryData-OutboundFlow.ReadWrite.All
    IndustryData-ReferenceDefinition.Read.All IndustryData-ReferenceDefinition.ReadWrite.All
    IndustryData-Run.Read.All IndustryData-Run.Start IndustryData-SourceSystem.Read.All
    IndustryData-SourceSystem.ReadWrite.All IndustryData-TimePeriod.Read.All
    IndustryData-TimePeriod.ReadWrite.All IndustryData.ReadBasic.All InformationProtectionPolicy.Read
    Insights-UserMetric.Read.All LearningAssignedCourse.Read LearningContent.Read.All
    LearningContent.ReadWrite.All LearningProvider.Read LearningProvider.ReadWrite
    LearningSelfInitiatedCourse.Read LicenseAssignment.Read.All LicenseAssignment.ReadWrite.All
    LifeCycleInfo.Read.All LifeCycleInfo.ReadWrite.All LifecyclePolicies-AgentId.Read.All
    LifecyclePolicies-AgentId.ReadWrite.All LifecycleWorkflows-CustomExt.Read.All
    LifecycleWorkflows-CustomExt.ReadWrite.All LifecycleWorkflows-Reports.Read.All
    LifecycleWorkflows-Workflow.Activate LifecycleWorkflows-Workflow.Read.All
    LifecycleWorkflows-Workflow.ReadBasic.All LifecycleWorkflows-Workflow.ReadWrite.All
    LifecycleWorkflows.Read.All LifecycleWorkflows.ReadWrite.All ListItems.SelectedOperations.Selected
    Lists.SelectedOperations.Selected Mail.Read Mail.Read.Shared Mail.ReadBasic Mail.ReadWrite
    Mail.ReadWrite.Shared Mail.Send Mail.Send.Shared MailTips.ReadBasic.Shared MailboxConfigItem.Read
    MailboxConfigItem.ReadWrite MailboxFolder.Read MailboxFolder.ReadWrite MailboxItem.Export
    MailboxItem.ImportExport MailboxItem.Read MailboxItem.ReadWrite MailboxSettings.Read
    MailboxSettings.ReadWrite ManagedTenants.Read.All ManagedTenants.ReadWrite.All Member.Read.Hidden
    MultiTenantOrganization.Read.All MultiTenantOrganization.ReadBasic.All
    MultiTenantOrganization.ReadWrite.All MutualTlsOauthConfiguration.Read.All
    MutualTlsOauthConfiguration.ReadWrite.All NetworkAccess-Reports.Read.All NetworkAccess.Read.All
    NetworkAccess.ReadWrite.All Notes.Create Notes.Read Notes.Read.All Notes.ReadWrite Notes.ReadWrite.All
    Notes.ReadWrite.CreatedByApp Notifications.ReadWrite.CreatedByApp OnPremDirectorySynchronization.Read.All
    OnPremDirectorySynchronization.ReadWrite.All OnPremisesPublishingProfiles.ReadWrite.All
    OnlineMeetingAiInsight.Read.All OnlineMeetingArtifact.Read.All OnlineMeetingRecording.Read.All
    OnlineMeetingTranscript.Read.All OnlineMeetings.Read OnlineMeetings.ReadWrite OrgContact.Read
    OrgContact.Read.All OrgSettings-AppsAndServices.Read.All OrgSettings-AppsAndServices.ReadWrite.All
    OrgSettings-DynamicsVoice.Read.All OrgSettings-DynamicsVoice.ReadWrite.All OrgSettings-Forms.Read.All
    OrgSettings-Forms.ReadWrite.All OrgSettings-Microsoft365Install.Read.All
    OrgSettings-Microsoft365Install.ReadWrite.All OrgSettings-Todo.Read.All OrgSettings-Todo.ReadWrite.All
    Organization.Read.All Organization.ReadWrite.All OrganizationalBranding.Read.All
    OrganizationalBranding.ReadWrite.All POP.AccessAsUser.All PartnerBilling.Read.All PartnerSecurity.Read.All
    PartnerSecurity.ReadWrite.All PendingExternalUserProfile.Read.All PendingExternalUserProfile.ReadWrite.All
    People.Read People.Read.All PeopleSettings.Read.All PeopleSettings.ReadWrite.All Place.Read.All
    Place.ReadWrite.All PlaceDevice.Read.All PlaceDevice.ReadWrite.All Policy.Read.All
    Policy.Read.AuthenticationMethod Policy.Read.B2BManagementPolicy Policy.Read.ConditionalAccess
    Policy.Read.DeviceConfiguration Policy.Read.HybridAuthentication Policy.Read.OnPremAuthenticationPolicy
    Policy.Read.PermissionGrant Policy.ReadWrite.AccessReview Policy.ReadWrite.ApplicationConfiguration
    Policy.ReadWrite.AuthenticationFlows Policy.ReadWrite.AuthenticationMethod Policy.ReadWrite.Authorization
    Policy.ReadWrite.B2BManagementPolicy Policy.ReadWrite.ConditionalAccess Policy.ReadWrite.ConsentRequest
    Policy.ReadWrite.CrossTenantAccess Policy.ReadWrite.CrossTenantCapability
    Policy.ReadWrite.DeviceConfiguration Policy.ReadWrite.ExternalIdentities Policy.ReadWrite.FeatureRollout
    Policy.ReadWrite.FedTokenValidation Policy.ReadWrite.HybridAuthentication
    Policy.ReadWrite.MobilityManagement Policy.ReadWrite.OnPremAuthenticationPolicy
    Policy.ReadWrite.PermissionGrant Policy.ReadWrite.SecurityDefaults Policy.ReadWrite.TrustFramework
    Presence.Read Presence.Read.All Presence.ReadWrite PrintAlertSettings.Read.All
    PrintAlertSettings.ReadWrite.All PrintConnector.Read.All PrintConnector.ReadWrite.All PrintJob.Create
    PrintJob.Read PrintJob.Read.All PrintJob.ReadBasic PrintJob.ReadBasic.All PrintJob.ReadWrite
    PrintJob.ReadWrite.All PrintJob.ReadWriteBasic PrintJob.ReadWriteBasic.All PrintSettings.Read.All
    PrintSettings.ReadWrite.All Printer.Create Printer.FullControl.All Printer.Read.All Printer.ReadWrite.All
    PrinterShare.Read.All PrinterShare.ReadBasic.All PrinterShare.ReadWrite.All
    PrivilegedAccess.Read.AzureADGroup PrivilegedAccess.ReadWrite.AzureAD
    PrivilegedAccess.ReadWrite.AzureADGroup PrivilegedAccess.ReadWrite.AzureResources
    PrivilegedAssignmentSchedule.Read.AzureADGroup PrivilegedAssignmentSchedule.ReadWrite.AzureADGroup
    PrivilegedAssignmentSchedule.Remove.AzureADGroup PrivilegedEligibilitySchedule.Read.AzureADGroup
    PrivilegedEligibilitySchedule.ReadWrite.AzureADGroup PrivilegedEligibilitySchedule.Remove.AzureADGroup
    ProfilePhoto.Read.All ProfilePhoto.ReadWrite.All ProgramControl.Read.All ProgramControl.ReadWrite.All
    ProtectionScopes.Compute.All ProtectionScopes.Compute.User ProvisioningLog.Read.All
    PublicKeyInfrastructure.Read.All PublicKeyInfrastructure.ReadWrite.All QnA.Read.All
    RealTimeActivityFeed.Read.All RecordsManagement.Read.All RecordsManagement.ReadWrite.All
    ReportSettings.Read.All ReportSettings.ReadWrite.All Reports.Read.All
    ResourceSpecificPermissionGrant.ReadForChat ResourceSpecificPermissionGrant.ReadForTeam
    ResourceSpecificPermissionGrant.ReadForUser RiskPreventionProviders.Read.All
    RiskPreventionProviders.ReadWrite.All RoleAssignmentSchedule.Read.Directory
    RoleAssignmentSchedule.ReadWrite.Directory RoleAssignmentSchedule.Remove.Directory
    RoleEligibilitySchedule.Read.Directory RoleEligibilitySchedule.ReadWrite.Directory
    RoleEligibilitySchedule.Remove.Directory RoleManagement.Read.All RoleManagement.Read.CloudPC
    RoleManagement.Read.Defender RoleManagement.Read.Directory RoleManagement.Read.Exchange
    RoleManagement.ReadWrite.CloudPC RoleManagement.ReadWrite.Defender RoleManagement.ReadWrite.Directory
    RoleManagement.ReadWrite.Exchange RoleManagementAlert.Read.Directory
    RoleManagementAlert.ReadWrite.Directory RoleManagementPolicy.Read.Directory
    RoleManagementPolicy.ReadWrite.Directory SMTP.Send Schedule.Read.All Schedule.ReadWrite.All
    SchedulePermissions.ReadWrite.All SearchConfiguration.Read.All SearchConfiguration.ReadWrite.All
    SecurityActions.Read.All SecurityActions.ReadWrite.All SecurityAlert.Create.All SecurityAlert.Read.All
    SecurityAlert.ReadWrite.All SecurityCopilotWorkspaces.Read.All SecurityCopilotWorkspaces.ReadWrite.All
    SecurityEvents.Read.All SecurityEvents.ReadWrite.All SecurityIdentitiesAccount.Read.All
    SecurityIdentitiesActions.ReadWrite.All SecurityIdentitiesAutoConfig.Read.All
    SecurityIdentitiesAutoConfig.ReadWrite.All SecurityIdentitiesHealth.Read.All
    SecurityIdentitiesHealth.ReadWrite.All SecurityIdentitiesMigration.Read.All
    SecurityIdentitiesMigration.ReadWrite.All SecurityIdentitiesSensors.Read.All
    SecurityIdentitiesSensors.ReadWrite.All SecurityIdentitiesUserActions.Read.All
    SecurityIdentitiesUserActions.ReadWrite.All SecurityIdentitiesUsers.Read.All SecurityIncident.Read.All
    SecurityIncident.ReadWrite.All SensitivityLabel.Evaluate SensitivityLabel.Evaluate.All
    SensitivityLabel.Read SensitivityLabels.Read.All ServiceActivity-Exchange.Read.All
    ServiceActivity-Microsoft365Web.Read.All ServiceActivity-OneDrive.Read.All ServiceActivity-Teams.Read.All
    ServiceHealth.Read.All ServiceMessage.Read.All ServiceMessageViewpoint.Write
    SharePointCrossTenantMigration.Manage.All SharePointCrossTenantMigration.Read.All
    SharePointTenantSettings.Read.All SharePointTenantSettings.ReadWrite.All ShortNotes.Read
    ShortNotes.ReadWrite SignInIdentifier.Read.All SignInIdentifier.ReadWrite.All Sites.Archive.All
    Sites.FullControl.All Sites.Manage.All Sites.Read.All Sites.ReadWrite.All Sites.Selected
    SpiffeTrustDomain.Read.All SpiffeTrustDomain.ReadWrite.All Storyline.ReadWrite.All
    SubjectRightsRequest.Read.All SubjectRightsRequest.ReadWrite.All Synchronization.Read.All
    Synchronization.ReadWrite.All SynchronizationData-User.Upload Tasks.Read Tasks.Read.Shared Tasks.ReadWrite
    Tasks.ReadWrite.Shared Team.Create Team.ReadBasic.All TeamMember.Read.All TeamMember.ReadWrite.All
    TeamMember.ReadWriteNonOwnerRole.All TeamSettings.Read.All TeamSettings.ReadWrite.All TeamTemplates.Read
    TeamsActivity.Read TeamsActivity.Send TeamsAppInstallation.ManageSelectedForChat
    TeamsAppInstallation.ManageSelectedForTeam TeamsAppInstallation.ManageSelectedForUser
    TeamsAppInstallation.ReadForChat TeamsAppInstallation.ReadForTeam TeamsAppInstallation.ReadForUser
    TeamsAppInstallation.ReadWriteAndConsentForChat TeamsAppInstallation.ReadWriteAndConsentForTeam
    TeamsAppInstallation.ReadWriteAndConsentForUser TeamsAppInstallation.ReadWriteAndConsentSelfForChat
    TeamsAppInstallation.ReadWriteAndConsentSelfForTeam TeamsAppInstallation.ReadWriteAndConsentSelfForUser
    TeamsAppInstallation.ReadWriteForChat TeamsAppInstallation.ReadWriteForTeam
    TeamsAppInstallation.ReadWriteForUser TeamsAppInstallation.ReadWriteSelectedForUser
    TeamsAppInstallation.ReadWriteSelfForChat TeamsAppInstallation.ReadWriteSelfForTeam
    TeamsAppInstallation.ReadWriteSelfForUser TeamsPolicyUserAssign.ReadWrite.All
    TeamsResourceAccount.Read.All TeamsTab.Create TeamsTab.Read.All TeamsTab.ReadWrite.All
    TeamsTab.ReadWriteForChat TeamsTab.ReadWriteForTeam TeamsTab.ReadWriteSelfForChat
    TeamsTab.ReadWriteSelfForTeam TeamsTelephoneNumber.Read.All TeamsTelephoneNumber.ReadWrite.All
    TeamsUserConfiguration.Read.All Teamwork.Migrate.All Teamwork.Read.All TeamworkAppSettings.Read.All
    TeamworkAppSettings.ReadWrite.All TeamworkCustomEmoji.Create TeamworkCustomEmoji.Read
    TeamworkDevice.Read.All TeamworkDevice.ReadWrite.All TeamworkSection.Read TeamworkSection.ReadWrite
    TeamworkTag.Read TeamworkTag.ReadWrite TeamworkTargetedMessage.ReadWrite TeamworkUserInteraction.Read.All
    TenantGovernance-Invitation.Read.All TenantGovernance-Invitation.ReadWrite.All
    TenantGovernance-PolicyTemplate.Read.All TenantGovernance-PolicyTemplate.ReadWrite.All
    TenantGovernance-RelatedTenant.Read.All TenantGovernance-RelatedTenant.ReadWrite.All
    TenantGovernance-Relationship.Read.All TenantGovernance-Relationship.ReadWrite.All
    TenantGovernance-Request.Read.All TenantGovernance-Request.ReadWrite.All TenantGovernance-Setting.Read.All
    TenantGovernance-Setting.ReadWrite.All TermStore.Read.All TermStore.ReadWrite.All
    ThreatAssessment.ReadWrite.All ThreatHunting.Read.All ThreatIndicators.Read.All
    ThreatIndicators.ReadWrite.OwnedBy ThreatIntelligence.Read.All ThreatSubmission.Read.All
    ThreatSubmission.ReadWrite.All ThreatSubmissionPolicy.ReadWrite.All TrustFrameworkKeySet.Read.All
    TrustFrameworkKeySet.ReadWrite.All UnifiedGroupMember.Read.AsGuest User-ConvertToInternal.ReadWrite.All
    User-Mail.ReadWrite.All User-OnPremisesSyncBehavior.ReadWrite.All User-PasswordProfile.ReadWrite.All
    User-Phone.ReadWrite.All User.DeleteRestore.All User.EnableDisableAccount.All User.Export.All
    User.Invite.All User.ManageIdentities.All User.Read User.Read.All User.ReadBasic.All User.ReadWrite
    User.ReadWrite.All User.RevokeSessions.All UserActivity.ReadWrite.CreatedByApp UserAuthMethod-Email.Read
    UserAuthMethod-Email.Read.All UserAuthMethod-Email.ReadWrite UserAuthMethod-Email.ReadWrite.All
    UserAuthMethod-External.Read UserAuthMethod-External.Read.All UserAuthMethod-External.ReadWrite
    UserAuthMethod-External.ReadWrite.All UserAuthMethod-HardwareOATH.Read
    UserAuthMethod-HardwareOATH.Read.All UserAuthMethod-HardwareOATH.ReadWrite
    UserAuthMethod-HardwareOATH.ReadWrite.All UserAuthMethod-MicrosoftAuthApp.Read
    UserAuthMethod-MicrosoftAuthApp.Read.All UserAuthMethod-MicrosoftAuthApp.ReadWrite
    UserAuthMethod-MicrosoftAuthApp.ReadWrite.All UserAuthMethod-Passkey.Read UserAuthMethod-Passkey.Read.All
    UserAuthMethod-Passkey.ReadWrite UserAuthMethod-Passkey.ReadWrite.All UserAuthMethod-Password.Read
    UserAuthMethod-Password.Read.All UserAuthMethod-Password.ReadWrite UserAuthMethod-Password.ReadWrite.All
    UserAuthMethod-Phone.Read UserAuthMethod-Phone.Read.All UserAuthMethod-Phone.ReadWrite
    UserAuthMethod-Phone.ReadWrite.All UserAuthMethod-PlatformCred.Read UserAuthMethod-PlatformCred.Read.All
    UserAuthMethod-PlatformCred.ReadWrite UserAuthMethod-PlatformCred.ReadWrite.All UserAuthMethod-QR.Read
    UserAuthMethod-QR.Read.All UserAuthMethod-QR.ReadWrite UserAuthMethod-QR.ReadWrite.All
    UserAuthMethod-ResourceKey.Read.All UserAuthMethod-ResourceKey.ReadWrite.All
    UserAuthMethod-SoftwareOATH.Read UserAuthMethod-SoftwareOATH.Read.All
    UserAuthMethod-SoftwareOATH.ReadWrite UserAuthMethod-SoftwareOATH.ReadWrite.All UserAuthMethod-TAP.Read
    UserAuthMethod-TAP.Read.All UserAuthMethod-TAP.ReadWrite UserAuthMethod-TAP.ReadWrite.All
    UserAuthMethod-WindowsHello.Read UserAuthMethod-WindowsHello.Read.All
    UserAuthMethod-WindowsHello.ReadWrite UserAuthMethod-WindowsHello.ReadWrite.All
    UserAuthenticationMethod.Read UserAuthenticationMethod.Read.All UserAuthenticationMethod.ReadWrite
    UserAuthenticationMethod.ReadWrite.All UserCloudClipboard.Read UserTeamwork.Read UserWindowsSettings.Read
    UserWindowsSettings.Read.All UserWindowsSettings.ReadWrite.All VerifiedId-Profile.Read.All
    VerifiedId-Profile.ReadWrite.All VirtualAppointment.Read VirtualAppointment.ReadWrite
    VirtualAppointmentNotification.Send VirtualEvent.Read VirtualEvent.ReadWrite WindowsUpdates.Read.All
    WindowsUpdates.ReadWrite.All WorkforceIntegration.Read.All WorkforceIntegration.ReadWrite.All
    eDiscovery.Read.All eDiscovery.ReadWrite.All
    """
}
